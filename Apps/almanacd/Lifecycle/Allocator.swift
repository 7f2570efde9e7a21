/// How the process takes and gives back memory: malloc(3) is set up for programs that end, this one runs for months.
enum Allocator {
  /// Sets it up; before other threads begin.
  ///
  /// An arena for every thread keeps what a busy hour needed once per thread, and a threshold that grows with what was
  /// freed keeps the buffers of a fold: two arenas serve all threads, and large buffers go back when they are freed.
  static func prepare() {
    // M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3).
    _ = setOption(-8, 2)
    _ = setOption(-3, 256 << 10)
    _ = setOption(-1, 128 << 10)
  }
}

/// `mallopt(3)`: the toolchain's Glibc module leaves malloc.h out.
@_silgen_name("mallopt")
private func setOption(_ parameter: Int32, _ value: Int32) -> Int32
