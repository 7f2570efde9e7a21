// Loaded before a program (LD_PRELOAD): counts the calls by which it changes files or sends, in all its threads, and
// ends it with SIGKILL right before the one whose number is in KILL_AT. KILL_AT_LOG names a file that gets that call's
// name, or after a whole run the number of calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long count;
static long killAt = -1;
static char logPath[4096];

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("KILL_AT"), *path = getenv("KILL_AT_LOG");
  if (number) killAt = atol(number);
  if (path) strncpy(logPath, path, sizeof logPath - 1);
}

static void note(const char *text) {
  if (!logPath[0]) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, logPath, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, strlen(text));
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void end(void) {
  char text[32];
  snprintf(text, sizeof text, "%ld", atomic_load(&count));
  note(text);
}

static void step(const char *name) {
  if (atomic_fetch_add(&count, 1) + 1 != killAt) return;
  note(name);
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) pause();
}

// Standard output and error change nothing that counts; wake-ups between threads go through neither files nor sockets.
static void stepOn(const char *name, int file) {
  struct stat status;
  if (file == 1 || file == 2 || fstat(file, &status) != 0) return;
  if (S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode)) step(name);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FILE(type, name, parameters, ...)                                                                           \
  type name parameters {                                                                                               \
    stepOn(#name, file);                                                                                               \
    return NEXT(name)(__VA_ARGS__);                                                                                    \
  }
#define ON_PATH(name, parameters, ...)                                                                                 \
  int name parameters {                                                                                                \
    step(#name);                                                                                                       \
    return NEXT(name)(__VA_ARGS__);                                                                                    \
  }
#define OPEN(name, parameters, ...)                                                                                    \
  int name parameters {                                                                                                \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                          \
    va_end(rest);                                                                                                      \
    if (flags & (O_CREAT | O_TRUNC)) step(#name);                                                                      \
    return NEXT(name)(__VA_ARGS__, mode);                                                                              \
  }

OPEN(open, (const char *path, int flags, ...), path, flags)
OPEN(open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, (int folder, const char *path, int flags, ...), folder, path, flags)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder, path, flags)
ON_FILE(ssize_t, write, (int file, const void *bytes, size_t size), file, bytes, size)
ON_FILE(ssize_t, writev, (int file, const struct iovec *parts, int size), file, parts, size)
ON_FILE(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
ON_FILE(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), file, bytes, size, at)
ON_FILE(ssize_t, send, (int file, const void *bytes, size_t size, int flags), file, bytes, size, flags)
ON_FILE(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), file, message, flags)
ON_FILE(int, connect, (int file, const struct sockaddr *address, socklen_t size), file, address, size)
ON_FILE(int, ftruncate, (int file, off_t size), file, size)
ON_FILE(int, ftruncate64, (int file, off64_t size), file, size)
ON_FILE(int, fsync, (int file), file)
ON_FILE(int, fdatasync, (int file), file)
ON_PATH(rename, (const char *from, const char *to), from, to)
ON_PATH(renameat, (int in, const char *from, int into, const char *to), in, from, into, to)
ON_PATH(link, (const char *from, const char *to), from, to)
ON_PATH(linkat, (int in, const char *from, int into, const char *to, int flags), in, from, into, to, flags)
ON_PATH(unlink, (const char *path), path)
ON_PATH(unlinkat, (int in, const char *path, int flags), in, path, flags)
ON_PATH(mkdir, (const char *path, mode_t mode), path, mode)
ON_PATH(mkdirat, (int in, const char *path, mode_t mode), in, path, mode)
