import type { LogFormat, LogLevel } from './config.ts'
import { printable, printableName } from './texts.ts'

export interface Log {
  error(message: string, error?: unknown): void
  warn(message: string): void
  info(message: string): void
  debug(message: string): void
}

/** A cause may be its own. */
const MOST_CAUSES = 8
const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

interface LogOptions {
  readonly format?: LogFormat
  readonly write?: (line: string) => void
}

/**
 * Writes one line per message to standard error, with the stacks of an error and of its causes, since only the operator
 * reads it: below the line, or as a member of its JSON object. Messages name no place, run, file, user or key.
 */
export function consoleLog(level: LogLevel, { format = 'text', write = standardError() }: LogOptions = {}): Log {
  const shown = LEVELS.indexOf(level)
  const print = (at: LogLevel, message: string, error?: unknown) => {
    if (LEVELS.indexOf(at) > shown) return
    const time = new Date().toISOString()
    const shownMessage = printableName(message)
    const stacks = error === undefined ? undefined : printable(causesOf(error).map(stackOf).join('\nCause: '))
    if (format === 'json') write(`${JSON.stringify({ time, level: at, message: shownMessage, error: stacks })}\n`)
    else write(`${time} ${at} ${shownMessage}${stacks === undefined ? '' : `\n${stacks}`}\n`)
  }
  return {
    error: (message, error) => print('error', message, error),
    warn: (message) => print('warn', message),
    info: (message) => print('info', message),
    debug: (message) => print('debug', message),
  }
}

/** An error, the error that caused it, and so on. */
function causesOf(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let cause = error; cause !== undefined && found.length < MOST_CAUSES; ) {
    found.push(cause)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return found
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** When standard error is closed, lines are dropped: an error event without listener would end the process. */
function standardError(): (line: string) => void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  return (line) => void process.stderr.write(line)
}
