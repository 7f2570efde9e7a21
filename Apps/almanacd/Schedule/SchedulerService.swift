import ServiceLifecycle

/// Runs the scheduler until the daemon is asked to stop.
struct SchedulerService: Service {
  /// What is run.
  let scheduler: Scheduler

  func run() async throws {
    await cancelWhenGracefulShutdown { await scheduler.run() }
  }
}
