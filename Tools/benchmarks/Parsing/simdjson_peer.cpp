// Does the same work with simdjson; prints lines like parsing-bench.
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <time.h>

// Processor time, as in the other programs.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

template <class Body>
static void measure(const char *work, const char *who, size_t records, size_t bytes, Body body) {
  volatile size_t sum = body();
  std::vector<double> times;
  for (int run = 0; run < 7; run++) {
    double start = now();
    sum = sum + body();
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s\t%s\t%.3f\t%.0f\n", work, who, times[3] / records * 1e9, bytes / times[3] / 1e6);
  std::fflush(stdout);
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  std::string folder = arguments[1];
  for (auto [file, work] : {std::pair{"people.jsonl", "person tree"}, {"feeds.jsonl", "app store tree"}}) {
    auto text = simdjson::padded_string::load(folder + "/" + file).value();
    size_t lines = std::count(text.data(), text.data() + text.size(), '\n');
    measure(work, "simdjson DOM", lines, text.size(), [&] {
      simdjson::dom::parser parser;
      simdjson::dom::document_stream stream;
      if (parser.parse_many(text, 1 << 20).get(stream)) return size_t(0);
      size_t found = 0;
      for (auto document : stream) found += document.error() == simdjson::SUCCESS;
      return found;
    });
  }
  auto text = simdjson::padded_string::load(folder + "/people-1m.jsonl").value();
  size_t lines = std::count(text.data(), text.data() + text.size(), '\n');
  measure("filter birthday", "simdjson on demand", lines, text.size(), [&] {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document_stream stream;
    if (parser.iterate_many(text, 1 << 20).get(stream)) return size_t(0);
    size_t found = 0;
    for (auto document : stream) {
      std::string_view value;
      if (!document["birthday"].get_string().get(value)) found += value >= std::string_view("1990");
    }
    return found;
  });
}
