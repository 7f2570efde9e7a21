/* SQLite without an interpreter, with the same records and durability as store-bench; run by ../Store/sqlite_peer.py.

   cc -O2 -o sqlite-peer sqlite_peer.c -lsqlite3

   The commands and the output are those of store-bench: `ingest DIR COUNT`, `commit DIR COUNT`, `open DIR ID`,
   `lookup DIR COUNT TOTAL`, `scan DIR`. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static long now(void) {
  struct timespec value;
  clock_gettime(CLOCK_MONOTONIC, &value);
  return value.tv_sec * 1000000000L + value.tv_nsec;
}

static void must(int is_good, sqlite3 *database, const char *what) {
  if (is_good) return;
  fprintf(stderr, "%s: %s\n", what, database ? sqlite3_errmsg(database) : strerror(errno));
  exit(1);
}

static void identifier(long number, char text[16]) {
  snprintf(text, 16, "p%010lu", (unsigned long)number * 2654435761UL % (1UL << 30));
}

/* Records of 300 bytes, the same as those of store-bench. */
static int record(long number, long version, char id[16], char text[512]) {
  identifier(number, id);
  int size = snprintf(
      text, 512,
      "{\"id\":\"%s\",\"firstName\":\"Ada\",\"lastName\":\"Example %ld\",\"birthday\":\"1985-04-07\","
      "\"email\":\"ada.%ld@example.org\",\"address\":{\"street\":\"Some St 7\",\"city\":\"Z\xC3\xBCrich\"},"
      "\"tags\":[\"friend\",\"math\"],\"version\":%ld,\"note\":\"",
      id, number, number, version);
  while (size < 298) text[size++] = 'x';
  text[size++] = '"';
  text[size++] = '}';
  return size;
}

static sqlite3 *open_database(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/db", folder);
  sqlite3 *database = NULL;
  must(sqlite3_open(path, &database) == SQLITE_OK, database, "open");
  return database;
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *text) {
  sqlite3_stmt *statement = NULL;
  must(sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK, database, text);
  return statement;
}

static void run(sqlite3 *database, const char *text) {
  must(sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK, database, text);
}

/* Opens for writing: WAL with a durable commit. The pragma is read back, because it is easily lost. */
static sqlite3 *open_durable(const char *folder) {
  must(mkdir(folder, 0700) == 0 || errno == EEXIST, NULL, folder);
  sqlite3 *database = open_database(folder);
  run(database, "pragma journal_mode=wal");
  run(database, "pragma synchronous=full");
  sqlite3_stmt *level = prepared(database, "pragma synchronous");
  must(sqlite3_step(level) == SQLITE_ROW && sqlite3_column_int(level, 0) == 2, database, "synchronous is not FULL");
  sqlite3_finalize(level);
  run(database, "create table if not exists people(id text primary key, json blob not null)");
  return database;
}

static const char *const put = "insert into people values(?,?) on conflict(id) do update set json=excluded.json";

static void put_one(sqlite3 *database, sqlite3_stmt *statement, const char *id, const char *text, int size) {
  sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
  sqlite3_bind_blob(statement, 2, text, size, SQLITE_STATIC);
  must(sqlite3_step(statement) == SQLITE_DONE, database, "put");
  sqlite3_reset(statement);
}

static void ingest(const char *folder, long count) {
  char(*texts)[512] = malloc(count * 512);
  char(*ids)[16] = malloc(count * 16);
  int *sizes = malloc(count * sizeof(int));
  for (long number = 0; number < count; number++) sizes[number] = record(number, 0, ids[number], texts[number]);
  long start = now();
  sqlite3 *database = open_durable(folder);
  sqlite3_stmt *statement = prepared(database, put);
  run(database, "begin");
  for (long number = 0; number < count; number++)
    put_one(database, statement, ids[number], texts[number], sizes[number]);
  run(database, "commit");
  printf("commit %ld ns\n", (now() - start) / count);
  sqlite3_finalize(statement);
  run(database, "pragma wal_checkpoint(truncate)");
  printf("commit-and-fold %ld ns\n", (now() - start) / count);
  sqlite3_close(database);
}

static int compare(const void *left, const void *right) {
  long a = *(const long *)left, b = *(const long *)right;
  return (a > b) - (a < b);
}

static void commits(const char *folder, long count) {
  sqlite3 *database = open_durable(folder);
  sqlite3_stmt *statement = prepared(database, put);
  long *times = malloc(count * sizeof(long));
  for (long number = 0; number < count; number++) {
    char id[16], text[512];
    int size = record(number, number, id, text);
    long start = now();
    put_one(database, statement, id, text, size);
    times[number] = now() - start;
  }
  qsort(times, count, sizeof(long), compare);
  printf("commit %ld ns\n", times[count / 2]);
  sqlite3_finalize(statement);
  sqlite3_close(database);
}

static long look_up(sqlite3 *database, sqlite3_stmt *statement, const char *id) {
  sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
  must(sqlite3_step(statement) == SQLITE_ROW, database, id);
  long size = sqlite3_column_bytes(statement, 0);
  char *copy = malloc(size);
  memcpy(copy, sqlite3_column_blob(statement, 0), size);
  free(copy);
  sqlite3_reset(statement);
  return size;
}

static const char *const get = "select json from people where id=?";

static void open_and_look_up(const char *folder, const char *id) {
  long start = now();
  sqlite3 *database = open_database(folder);
  sqlite3_stmt *statement = prepared(database, get);
  look_up(database, statement, id);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  printf("open+lookup %ld ns\n", now() - start);
}

static void look_ups(const char *folder, long count, long total) {
  sqlite3 *database = open_database(folder);
  sqlite3_stmt *statement = prepared(database, get);
  char(*ids)[16] = malloc(count * 16);
  unsigned long chance = 11;
  for (long place = 0; place < count; place++) {
    chance = chance * 6364136223846793005UL + 1442695040888963407UL;
    identifier((long)((chance >> 33) % total), ids[place]);
  }
  const char *const rounds[] = {"lookup-first", "lookup-again"};
  for (int round = 0; round < 2; round++) {
    long start = now();
    for (long place = 0; place < count; place++) look_up(database, statement, ids[place]);
    printf("%s %ld ns\n", rounds[round], (now() - start) / count);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
}

static void scan(const char *folder) {
  sqlite3 *database = open_database(folder);
  const char *const rounds[] = {"scan-first", "scan-again"};
  for (int round = 0; round < 2; round++) {
    sqlite3_stmt *statement = prepared(database, "select json from people");
    long start = now(), records = 0, bytes = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      records++;
      bytes += sqlite3_column_blob(statement, 0) ? sqlite3_column_bytes(statement, 0) : 0;
    }
    must(bytes > 0, database, "no bytes");
    printf("%s %ld ps\n", rounds[round], (now() - start) * 1000 / records);
    sqlite3_finalize(statement);
  }
  sqlite3_close(database);
}

int main(int count, char **words) {
  const char *command = count > 2 ? words[1] : "";
  if (!strcmp(command, "ingest") && count == 4) ingest(words[2], atol(words[3]));
  else if (!strcmp(command, "commit") && count == 4) commits(words[2], atol(words[3]));
  else if (!strcmp(command, "open") && count == 4) open_and_look_up(words[2], words[3]);
  else if (!strcmp(command, "lookup") && count == 5) look_ups(words[2], atol(words[3]), atol(words[4]));
  else if (!strcmp(command, "scan")) scan(words[2]);
  else {
    fputs("usage: sqlite-peer ingest|commit|open|lookup|scan DIR ...\n", stderr);
    return 64;
  }
  return 0;
}
