import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '../../../src/base/config.ts'
import type { Db } from '../../../src/db/open.ts'
import { type TestApp, testApp } from '../../app.ts'

export interface Watched extends AsyncDisposable {
  readonly app: TestApp
  readonly folder: string
  put(name: string, bytes: Uint8Array | string): void
  /** One look, and the round after it. */
  look(isFull?: boolean): Promise<void>
  /** Two looks, so far apart that what stands still is read. */
  settle(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers and compare them
  status(): Promise<any>
  /** Every file with the result of it, by name. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  files(): Promise<any[]>
  runs(): Promise<number>
}

/** A real app that watches one new folder; nothing is looked at but when a test asks. */
export async function watchedFolder(options: { readonly env?: Environment; readonly db?: Db } = {}): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-watched-'))
  const { env = {}, ...more } = options
  const app = await testApp({ env: { WATCH_DIR: folder, ...env }, ...more })
  const look = async (isFull = false) => {
    await app.watch.look(isFull)
    await app.watch.rest()
  }
  return {
    app,
    folder,
    put: (name, bytes) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), bytes)
    },
    look,
    settle: async () => {
      await look(true)
      app.pass(app.deps.config.watchSettleS * 1000)
      await look(true)
    },
    status: async () => (await app.call('GET', '/watch-folder')).json,
    files: async () => {
      const { items } = (await app.call('GET', '/watch-folder/files?pageSize=100')).json
      return items.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name))
    },
    runs: async () => (await app.call('GET', '/workouts')).json.totalCount,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
