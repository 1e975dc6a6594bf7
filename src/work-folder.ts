import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockFolder } from './db/lock.ts'

export interface WorkFolder {
  readonly path: string
  /** Removes the folder with all that is in it; done by itself when a signal ends the process. */
  clear(): void
}

const SIGNALS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/**
 * A new folder for what a command writes before it is finished, or throws away. It is locked as long as its process
 * lives; folders of the same kind in the same place that nobody holds any more, as kill -9 leaves them, are removed.
 * @param prefix of its name, which says whose it is
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
  // only now by a name that others look for, so that nobody finds it unlocked
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
      // by a name that no other process looks for: it would put a lock into a folder that is being emptied
      const gone = join(parent, `.gone-${name}`)
      renameSync(path, gone)
      rmSync(gone, { recursive: true, force: true })
      lock.release()
    } catch {
      // its process is at work
    }
  }
}

/** In a place that everybody may write, a name says nothing, and a link may lead anywhere. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() && existsSync(join(path, 'lock'))
}
