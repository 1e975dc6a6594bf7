// The command line of the process. The code of a command is loaded with it.
import packageJson from '../package.json' with { type: 'json' }
import { embedded } from './embedded.ts'

/** How the program, and a command of it, is started here; for help texts. */
const CALL =
  embedded === null ? { itself: 'bun run start', command: 'bun run' } : { itself: 'harrier', command: 'harrier' }

const HELP = `Harrier, a running tracker of your own

  ${CALL.itself.padEnd(38)}serve on PORT (5001) until Ctrl+C
  ${`${CALL.command} backup <file.zip>`.padEnd(38)}write the whole library into an archive, also while it is served
  ${`${CALL.command} verify <file.zip>`.padEnd(38)}restore an archive into a scratch library and compare everything
  ${`${CALL.command} rebuild`.padEnd(38)}derive the numbers of all runs again, while it is not served
  ${`${CALL.command} reset-password`.padEnd(38)}set a new password and end all sessions
  ${`${CALL.itself} --version`.padEnd(38)}what this is
  ${`${CALL.itself} --help`.padEnd(38)}this text

All data lies in DATA_DIR; unset, that is the folder "data" ${embedded === null ? 'here' : 'beside the program'}. The README lists the other variables.
`

/** @returns the exit code; null: the process keeps running */
async function run(command: string, args: readonly string[]): Promise<number | null> {
  switch (command) {
    case 'serve':
      return (await import('./serve.ts')).serve()
    case 'backup':
      return await (await import('./backup.ts')).backupCommand(args, CALL.command)
    case 'verify':
      return await (await import('./verify.ts')).verifyCommand(args, CALL.command)
    case 'rebuild':
      return await (await import('./rebuild.ts')).rebuildCommand(args, CALL.command)
    case 'reset-password':
      return await (await import('./reset-password.ts')).resetPasswordCommand(args, CALL.command)
    case '--version':
      return printed(version())
    case '--help':
      return printed(HELP)
    default:
      process.stderr.write(`There is no command ${JSON.stringify(command)}\n\n${HELP}`)
      return 2
  }
}

function version(): string {
  const built = [embedded?.commit?.slice(0, 12), embedded?.date?.slice(0, 10)].filter((part) => part != null)
  const about = built.length > 0 ? ` (${built.join(', ')})` : ''
  return `harrier ${packageJson.version}${about}, Bun ${Bun.version}, ${process.platform} ${process.arch}\n`
}

function printed(text: string): number {
  process.stdout.write(text)
  return 0
}

const [command = 'serve', ...args] = process.argv.slice(2)
void run(command, args).then((code) => {
  if (code !== null) process.exitCode = code
})
