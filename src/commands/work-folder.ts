import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockFolder } from '../db/lock.ts'

export interface WorkFolder {
  readonly path: string
  /** Removes the folder with its content; called automatically when a signal ends the process. */
  clear(): void
}

const SIGNALS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/**
 * Creates a folder for temporary files of a command. It is locked while its process lives; similar folders in the same
 * place whose process is gone, as after kill -9, are removed.
 * @param prefix of its name, which identifies the kind of folder
 * @throws Error when `parent` cannot be written
 */
export function workFolder(parent: string, prefix: string): WorkFolder {
  let path: string | null = null
  let lock: { release(): void } | null = null
  const clear = () => {
    if (path !== null) rmSync(path, { recursive: true, force: true })
    lock?.release()
  }
  // before there is anything to remove
  for (const [signal, code] of SIGNALS) {
    process.once(signal, () => {
      clear()
      process.exit(code)
    })
  }
  removeAbandoned(parent, prefix)
  path = mkdtempSync(join(parent, `.new-${prefix}`))
  lock = lockFolder(path)
  // renamed to the name that other processes look for only now, so that none finds it unlocked
  const locked = join(dirname(path), basename(path).slice('.new-'.length))
  renameSync(path, locked)
  path = locked
  return { path, clear }
}

function removeAbandoned(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (!name.startsWith(prefix) || !isOurs(path)) continue
    try {
      const lock = lockFolder(path)
      // renamed first to a name that no other process looks for, which would otherwise put a lock into it while it is
      // emptied
      const gone = join(parent, `.gone-${name}`)
      renameSync(path, gone)
      rmSync(gone, { recursive: true, force: true })
      lock.release()
    } catch {
      // its process is still running
    }
  }
}

/**
 * Whether the folder belongs to this user: in a place that everybody may write to, the name proves nothing, and a link
 * may lead anywhere.
 */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() && existsSync(join(path, 'lock'))
}
