/// Modules that come with Swift, an SDK or the C library, to tell them from those of packages in messages.
package enum ToolchainModules {
  package static let names: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "_Differentiation", "_Volatile", "Builtin", "Cxx", "CxxStdlib",
    "Distributed", "Observation", "RegexBuilder", "Synchronization", "Runtime", "SwiftOnoneSupport",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    "Glibc", "Musl", "Android", "Bionic", "Darwin", "WinSDK", "CRT", "ucrt", "WASILibc", "Dispatch", "os", "OSLog",
    "System",
    "XCTest", "Testing", "PackagePlugin", "PackageDescription", "CompilerPluginSupport",
    "Combine", "CoreFoundation", "CoreGraphics", "CoreServices", "CoreData", "CoreLocation", "CoreImage", "CoreMedia",
    "CoreText", "CoreBluetooth", "CoreTelephony", "CoreVideo", "CoreAudio", "CommonCrypto", "CryptoKit", "Network",
    "Security", "SystemConfiguration", "UIKit", "AppKit", "SwiftUI", "SwiftData", "WatchKit", "IOKit", "Metal",
    "MetalKit",
    "AVFoundation", "CFNetwork", "ObjectiveC", "MachO", "XPC", "LocalAuthentication", "StoreKit", "WebKit", "WidgetKit",
    "QuartzCore", "MobileCoreServices", "UniformTypeIdentifiers", "ServiceManagement", "Accelerate", "ImageIO",
    "Photos",
    "xlocale", "locale_h", "wasi_pthread", "_math", "zlib", "SQLite3", "libxml2", "readline", "asl",
    "DeveloperToolsSupport", "PlaygroundSupport", "JavaScriptCore",
  ]

  /// Need no permission: they are there without being imported.
  package static let implicit: Set<String> = ["Swift", "_Concurrency", "_StringProcessing"]
}
