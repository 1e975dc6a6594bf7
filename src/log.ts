import type { LogLevel } from './config.ts'

export interface Log {
  error(message: string, error?: unknown): void
  warn(message: string): void
  info(message: string): void
  debug(message: string): void
}

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

/**
 * Writes one line per message to standard error, followed by the stack of an error, since only the operator reads it.
 */
export function consoleLog(level: LogLevel, write: (line: string) => void = standardError()): Log {
  const shown = LEVELS.indexOf(level)
  const print = (at: LogLevel, message: string, error?: unknown) => {
    if (LEVELS.indexOf(at) > shown) return
    const detail =
      error === undefined ? '' : `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    write(`${new Date().toISOString()} ${at} ${message}${detail}\n`)
  }
  return {
    error: (message, error) => print('error', message, error),
    warn: (message) => print('warn', message),
    info: (message) => print('info', message),
    debug: (message) => print('debug', message),
  }
}

/** When standard error is closed, lines are dropped: an error event without listener would end the process. */
function standardError(): (line: string) => void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  return (line) => void process.stderr.write(line)
}
