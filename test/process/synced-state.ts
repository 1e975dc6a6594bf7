// What a power cut would leave of a data folder, out of the system calls of the process that wrote it: bytes and names count
// only as far as the process had waited for the disk.
import { cpSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The command that writes the calls of what is started with it into a file. */
export function tracing(log: string): string[] {
  const calls = 'pwrite64,write,fsync,fdatasync,link,linkat,rename,renameat,renameat2,ftruncate'
  return ['strace', '-f', '-y', '-s', '0', '-o', log, '-e', `trace=${calls}`]
}

/** False where strace is missing, or may not look at other processes. */
export function canTrace(): boolean {
  if (Bun.which('strace') === null) return false
  return Bun.spawnSync(['strace', '-f', '-o', '/dev/null', 'true']).exitCode === 0
}

export interface Synced {
  /** Bytes of the write-ahead log. */
  readonly logBytes: number
  /** Paths of files whose bytes and whose names are on the disk. */
  readonly files: ReadonlySet<string>
}

interface Call {
  readonly pid: string
  readonly name: string
  readonly text: string
  readonly begins: boolean
  readonly ends: boolean
}

/** Calls begin and end on two lines where those of another thread are between. */
function* calls(log: string): Generator<Call> {
  const begun = new Map<string, string>()
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, pid, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || rest === undefined) continue
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest)
    const name = resumed?.[1] ?? /^(\w+)\(/.exec(rest)?.[1]
    if (name === undefined) continue
    const isUnfinished = rest.endsWith('<unfinished ...>')
    const text = resumed ? (begun.get(pid) ?? '') + resumed[2] : rest.replace('<unfinished ...>', '')
    if (isUnfinished) begun.set(pid, text)
    yield { pid, name, text, begins: resumed === null, ends: !isUnfinished }
  }
}

export function syncedState(log: string, dataDir: string): Synced {
  const wal = join(dataDir, 'harrier.sqlite-wal')
  let written = 0
  let logBytes = 0
  const names = new Set<string>()
  const syncedNames = new Set<string>()
  const syncedBytes = new Set<string>()
  // what had been written when a thread began to wait
  const waiting = new Map<string, () => void>()
  for (const { pid, name, text, begins, ends } of calls(log)) {
    const succeeded = ends && / = \d+/.test(text)
    const path = /^\w+\(\d+<([^>]*)>/.exec(text)?.[1] ?? ''
    if (/sync$/.test(name)) {
      if (begins) {
        const [bytes, known] = [written, [...names]]
        waiting.set(pid, () => {
          if (path === wal) logBytes = Math.max(logBytes, bytes)
          syncedBytes.add(path)
          for (const file of known) if (dirname(file) === path) syncedNames.add(file)
        })
      }
      if (succeeded) waiting.get(pid)?.()
    } else if (name === 'pwrite64' && path === wal && ends) {
      const [, length, offset] = /, (\d+), (\d+)\s*\)\s+= \d+/.exec(text) ?? []
      if (length === undefined) continue
      written = Math.max(written, Number(offset) + Number(length))
    } else if (/^(link|rename)/.test(name) && succeeded) {
      const [from, to] = [...text.matchAll(/"([^"]*)"/g)].map(([, quoted]) => quoted ?? '')
      if (from === undefined || to === undefined) continue
      names.add(to)
      if (syncedBytes.has(from)) syncedBytes.add(to)
    }
  }
  return { logBytes, files: new Set([...syncedNames].filter((file) => syncedBytes.has(file))) }
}

/** The folder as it would be after a power cut at the end of the trace; the database itself was not written to. */
export function afterPowerCut(dataDir: string, { logBytes, files }: Synced, copy: string): void {
  mkdirSync(copy, { recursive: true })
  for (const name of ['harrier.sqlite', 'harrier.sqlite-wal', 'jwt-secret']) {
    cpSync(join(dataDir, name), join(copy, name))
  }
  truncateSync(join(copy, 'harrier.sqlite-wal'), logBytes)
  for (const file of files) {
    if (!file.startsWith(join(dataDir, 'files'))) continue
    const place = join(copy, file.slice(dataDir.length))
    mkdirSync(dirname(place), { recursive: true })
    cpSync(file, place)
  }
}
