#!/bin/sh
# Hands collections to a Singer target. Usage: singer.sh CONFIG TARGET COLLECTION…
config=$1 target=$2 && shift 2
for collection in "$@"; do
  almanac export "$collection" --to singer | "$target" --config "$config" || exit
done
