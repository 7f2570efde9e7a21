/// What middlewares pass inwards beside the request.
package enum CallContext {
  /// Which try it is, from 1; set by `Retry` for those further in.
  @TaskLocal package static var attempt = 1
}
