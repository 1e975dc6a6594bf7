// A server whose data folder is a small disk of its own: a tmpfs that only the process sees, in a mount namespace of its own.
import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf, leftovers, storedIn } from '../library/whole.ts'
import { type RealServer, startServer } from './real-server.ts'

export const FULL = 'The disk of the server is full'
export const REFUSED = { error: `${FULL}; make space and try again`, code: 'disk_full' }

/** How often a disk is filled again when the server takes space at the same moment. */
const MOST_TRIES = 10
const MOST_CHANGES = 2000

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers and compare them
  readonly json: any
}

export interface SmallDisk {
  readonly server: RealServer
  send(path: string, init?: RequestInit): Promise<Answered>
  /** The data folder as it is now, as a folder that SQLite can open: it would follow the way into the namespace. */
  copied(): string
  /** Fills the disk but for so many bytes, rounded to its pages. */
  fill(freeBytes: number): void
  /** Takes away what `fill` wrote. */
  empty(): void
  close(): Promise<void>
}

/** Root of a user namespace, which needs no right where it is allowed; else root, who may mount. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '-rm'],
  ['unshare', '-m'],
]
const MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$0" && shift && exec "$@"'
/** What `fill` writes; the sweep of the service looks at its own folders only. */
const FILLER = 'filler'

/** How a process gets a disk of its own here; null: in no way, as in a container without the right to mount. */
function wayToMount(): readonly string[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-mount-'))
  const works = (way: readonly string[]) => {
    try {
      return Bun.spawnSync([...onDisk(way, folder, '64k'), 'true']).exitCode === 0
    } catch {
      return false
    }
  }
  const way = WAYS.find(works) ?? null
  rmSync(folder, { recursive: true, force: true })
  return way
}

/** The beginning of a command for which `folder` is a disk of this size. */
export function onDisk(way: readonly string[], folder: string, size: string): string[] {
  return [...way, 'sh', '-c', MOUNT, folder, size]
}

export const way = wayToMount()

/** A test with a disk of 16 MiB; skipped where no process may mount, as in a container without that right. */
export function diskTest(name: string, body: (disk: SmallDisk) => Promise<void>): void {
  test.skipIf(way === null)(
    name,
    async () => {
      const disk = await smallDisk(way!, 16)
      try {
        await disk.server.login()
        await body(disk)
      } finally {
        await disk.close()
      }
    },
    120_000,
  )
}

/** What is stored is whole, nothing is left over, and the service answers. */
export async function expectSound({ send, copied }: SmallDisk): Promise<{ runs: number; photos: number }> {
  const folder = copied()
  expect([faultsOf(folder), leftovers(folder)]).toEqual([[], []])
  const stored = storedIn(folder)
  expect(await send('/workouts')).toMatchObject({ status: 200, json: { totalCount: stored.runs } })
  expect((await send('/stats/best-efforts')).status).toBe(200)
  return stored
}

/** Changes until the disk takes nothing more. @returns the body that was taken last; undefined: none */
export async function untilRefused<Body>(
  { send }: SmallDisk,
  [method, path]: readonly [method: string, path: string],
  bodyOf: (attempt: number) => Body,
): Promise<Body | undefined> {
  let taken: Body | undefined
  for (let attempt = 0; attempt < MOST_CHANGES; attempt += 1) {
    const body = bodyOf(attempt)
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await send(path, { method, headers, body: JSON.stringify(body) })
    if (status !== 200) {
      expect([status, json]).toEqual([507, REFUSED])
      return taken
    }
    taken = body
  }
  throw new Error('The disk took everything')
}

/** Long enough that a few of them fill what is left of a page, of the log and of the database. */
export const longNotes = (attempt: number) => ({ notes: `${attempt} ${'long '.repeat(50_000)}` })

async function smallDisk(way: readonly string[], sizeMiB: number): Promise<SmallDisk> {
  const mountPoint = mkdtempSync(join(tmpdir(), 'harrier-disk-'))
  const copies = mkdtempSync(join(tmpdir(), 'harrier-disk-copy-'))
  const through = onDisk(way, mountPoint, `${sizeMiB}m`)
  const server = await startServer({ dataDir: mountPoint, through })
  // all of these commands replaced each other, so that the process is the server
  const folder = `/proc/${server.pid}/root${mountPoint}`
  const filler = join(folder, FILLER)
  const empty = () => rmSync(filler, { force: true })
  return {
    server,
    send: async (path, init) => {
      const answer = await server.call(path, init)
      return { status: answer.status, json: await answer.json() }
    },
    empty,
    copied: () => {
      const copy = mkdtempSync(join(copies, 'copy-'))
      cpSync(folder, copy, { recursive: true, filter: (path) => path !== filler })
      return copy
    },
    fill: (freeBytes) => {
      for (let tried = 1; ; tried += 1) {
        empty()
        const { bavail, bsize } = statfsSync(folder)
        try {
          writeFileSync(filler, new Uint8Array(Math.max(0, bavail - Math.ceil(freeBytes / bsize)) * bsize))
          return
        } catch (error) {
          // the server took some of the space meanwhile
          if (tried === MOST_TRIES) throw error
        }
      }
    },
    close: async () => {
      await server.end('SIGKILL')
      rmSync(mountPoint, { recursive: true, force: true })
      rmSync(copies, { recursive: true, force: true })
    },
  }
}
