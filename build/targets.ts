/** One file to build: its name, and the Bun that it contains. */
export interface Target {
  readonly file: string
  readonly runtime: Bun.Build.CompileTarget
  /** Whether and how it was seen running. */
  readonly tested: 'by the tests' | 'by the tests, emulated' | 'once, emulated' | 'not at all'
}

export const TARGETS: readonly Target[] = [
  { file: 'harrier-linux-x64', runtime: 'bun-linux-x64', tested: 'by the tests' },
  { file: 'harrier-linux-x64-baseline', runtime: 'bun-linux-x64-baseline', tested: 'once, emulated' },
  { file: 'harrier-linux-arm64', runtime: 'bun-linux-arm64', tested: 'by the tests, emulated' },
  { file: 'harrier-linux-x64-musl', runtime: 'bun-linux-x64-musl', tested: 'not at all' },
  { file: 'harrier-darwin-arm64', runtime: 'bun-darwin-arm64', tested: 'not at all' },
  { file: 'harrier-windows-x64.exe', runtime: 'bun-windows-x64', tested: 'not at all' },
]
