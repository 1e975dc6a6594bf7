import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The commit of a clone, read from its files, since git may be missing; null: it is no clone. */
export function sourceCommit(root: string): string | null {
  try {
    const read = (path: string) => readFileSync(path, 'utf8').trim()
    const at = join(root, '.git')
    // of a further worktree it is a file that names a folder, and that one names the folder of the clone
    const folder = /^gitdir: (.*)$/.exec(existsSync(join(at, 'HEAD')) ? '' : read(at))?.[1] ?? at
    const head = read(join(resolve(root, folder), 'HEAD'))
    const name = /^ref: (.*)$/.exec(head)?.[1]
    if (name === undefined) return hash(head)
    const common = join(resolve(root, folder), 'commondir')
    const shared = existsSync(common) ? resolve(root, folder, read(common)) : resolve(root, folder)
    if (existsSync(join(shared, name))) return hash(read(join(shared, name)))
    const line = read(join(shared, 'packed-refs'))
      .split('\n')
      .find((one) => one.endsWith(` ${name}`))
    return hash(line?.split(' ')[0] ?? '')
  } catch {
    return null
  }
}

function hash(text: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null
}
