// The command line of the process. The code of a command is loaded with it.
import { embedded } from './base/embedded.ts'
import { APPLICATION_VERSION } from './base/versions.ts'
import { FOUND_CODE, isSound, LOOK } from './db/disk-full.ts'

/** How the program, and a command of it, is started here; for help texts. */
const CALL =
  embedded === null ? { itself: 'bun run start', command: 'bun run' } : { itself: 'harrier', command: 'harrier' }

const HELP = `Harrier, a self-hosted running tracker

  ${CALL.itself.padEnd(46)}serve on PORT (5001) until Ctrl+C
  ${`${CALL.command} backup <file.zip>`.padEnd(46)}write the whole library into an archive, also while it is served
  ${`${CALL.command} verify <file.zip>`.padEnd(46)}restore an archive into a scratch library and compare everything
  ${`${CALL.command} backup <folder>`.padEnd(46)}make a backup in a folder, as BACKUP_DIR does every day
  ${`${CALL.command} verify <folder>`.padEnd(46)}read all backups of a folder and check them
  ${`${CALL.command} restore <folder> [stamp] <new>`.padEnd(46)}make a new DATA_DIR of a backup, the latest without a stamp
  ${`${CALL.command} rebuild`.padEnd(46)}derive the numbers of all runs again, while it is not served
  ${`${CALL.command} reset-password`.padEnd(46)}set a new password and end all sessions
  ${`${CALL.itself} -v, --version`.padEnd(46)}what this is
  ${`${CALL.itself} -h, --help`.padEnd(46)}this text

All data is in DATA_DIR; if unset, that is the folder "data" ${embedded === null ? 'here' : 'beside the program'}. The README lists the other variables.
`

/** What each command takes. */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['serve', []],
  ['backup', ['<file>']],
  ['verify', ['<file>']],
  ['restore', ['<folder>', '[stamp]', '<new DATA_DIR>']],
  ['rebuild', []],
  ['reset-password', []],
])
const HELP_WORDS: readonly string[] = ['-h', '--help', 'help']
const VERSION_WORDS: readonly string[] = ['-v', '--version', 'version']

/** @returns the exit code, 2 for wrong arguments; null: the process keeps running */
async function run(command: string, args: readonly string[]): Promise<number | null> {
  const [file = ''] = args
  if (command === LOOK) return isSound(file) ? 0 : FOUND_CODE
  const words = [command, ...args]
  if (words.some((word) => HELP_WORDS.includes(word))) return printed(HELP)
  if (words.some((word) => VERSION_WORDS.includes(word))) return printed(version())
  const wanted = ARGUMENTS.get(command)
  if (wanted === undefined) return refused(`There is no command ${JSON.stringify(command)}\n\n${HELP}`)
  const least = wanted.filter((arg) => !arg.startsWith('[')).length
  if (args.length < least || args.length > wanted.length || args.some((arg) => arg.startsWith('-'))) {
    const call = command === 'serve' ? CALL.itself : [CALL.command, command, ...wanted].join(' ')
    return refused(`Usage: ${call}\n`)
  }
  switch (command) {
    case 'backup':
      return await (await import('./commands/backup.ts')).backupCommand(file)
    case 'verify':
      return await (await import('./commands/verify.ts')).verifyCommand(file)
    case 'restore':
      return await (await import('./commands/backup.ts')).restoreCommand(
        file,
        args[2] === undefined ? null : args[1]!,
        args.at(-1)!,
      )
    case 'rebuild':
      return await (await import('./commands/rebuild.ts')).rebuildCommand()
    case 'reset-password':
      return await (await import('./commands/reset-password.ts')).resetPasswordCommand()
    default:
      return (await import('./commands/serve.ts')).serve()
  }
}

function version(): string {
  const built = [embedded?.commit?.slice(0, 12), embedded?.date?.slice(0, 10)].filter((part) => part != null)
  const about = built.length > 0 ? ` (${built.join(', ')})` : ''
  return `harrier ${APPLICATION_VERSION}${about}, Bun ${Bun.version}, ${process.platform} ${process.arch}\n`
}

function printed(text: string): number {
  process.stdout.write(text)
  return 0
}

function refused(text: string): number {
  process.stderr.write(text)
  return 2
}

const [command = 'serve', ...args] = process.argv.slice(2)
void run(command, args).then(
  (code) => {
    if (code !== null) process.exitCode = code
  },
  (error: unknown) => {
    // whatever ends the server is a defect, which is shown with its place
    if (command === 'serve') throw error
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
