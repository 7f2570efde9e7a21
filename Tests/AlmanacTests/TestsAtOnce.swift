import Foundation

#if compiler(>=6.3)
  /// Limits the tests that run at the same time to four for each core, unless the variable is set.
  ///
  /// The Testing library begins all tests at once. With hundreds of them, of which many start programs and servers, a
  /// task waits for more than 20 s for its turn on a machine with two cores, and time limits of the tested code pass.
  /// The library reads the variable when the first test is planned, so it is set before `main` begins. All test targets
  /// are linked into one program, which needs this once.
  @section(".init_array") @used
  private let limitTestsAtOnce: @convention(c) () -> Void = {
    let cores = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2)
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "\(4 * cores)", 0)
  }
#endif
