import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { type RealServer, startServer } from '../process/real-server.ts'

/** Whoever runs these tests may read everything when that is root: the service is then somebody who may not. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const root = mkdtempSync(join(tmpdir(), 'harrier-watch-mode-'))
const [folder, dataDir] = [join(root, 'import'), join(root, 'data')]
const running: RealServer[] = []

afterAll(async () => {
  for (const server of running) await server.end('SIGKILL')
  for (const name of ['', 'closed']) chmodSync(join(folder, name), 0o755)
  rmSync(root, { recursive: true, force: true })
})

describe('what Harrier is not allowed to read', () => {
  test('is reported, stops nothing else, and is read as soon as it may be', async () => {
    chmodSync(root, 0o755)
    mkdirSync(join(folder, 'closed'), { recursive: true })
    mkdirSync(dataDir)
    const put = (name: string, day: number) =>
      writeFileSync(join(folder, name), fitRun({ startMs: START_MS - day * 864e5 }))
    put('open.fit', 0)
    put('shut.fit', 1)
    put('closed/in.fit', 2)
    const close = (name: string) => chmodSync(join(folder, name), 0)
    close('shut.fit')
    close('closed')
    const server = await started()
    await server.login()
    const seen = await until(server, ({ counts }) => counts.created === 1 && counts.waiting === 1)
    expect(seen).toMatchObject({
      folders: [{ state: 'watching', unreadableFolders: ['closed'] }],
      counts: { errors: 0 },
    })
    // a file that was seen waits as well, until it is tried
    const waiting = () => json(server, '/watch-folder/files?outcome=waiting')
    for (let tries = 0; tries < 1000 && (await waiting()).items[0]?.reason === null; tries += 1) await Bun.sleep(50)
    const { items } = await waiting()
    expect(items).toMatchObject([{ name: 'shut.fit', reason: 'Harrier is not allowed to read this file' }])
    expect(items[0].failingSince).toBeString()

    chmodSync(join(folder, 'closed'), 0o755)
    chmodSync(join(folder, 'shut.fit'), 0o644)
    const again = await server.call(`/watch-folder/files/${items[0].id}/import`, { method: 'POST' })
    expect(await again.json()).toMatchObject({ action: 'created' })
    await server.call('/watch-folder/look', { method: 'POST' })
    const mended = await until(server, ({ counts }) => counts.created === 3)
    expect(mended).toMatchObject({ folders: [{ unreadableFolders: [] }], counts: { waiting: 0 } })

    close('')
    await server.call('/watch-folder/look', { method: 'POST' })
    expect(await json(server, '/watch-folder')).toMatchObject({
      folders: [{ state: 'unreadable' }],
      counts: { created: 3 },
    })
    chmodSync(folder, 0o755)
    await server.call('/watch-folder/look', { method: 'POST' })
    expect(await json(server, '/watch-folder')).toMatchObject({
      folders: [{ state: 'watching' }],
      counts: { created: 3 },
    })
  }, 120_000)
})

async function started(): Promise<RealServer> {
  const env = { WATCH_DIR: folder, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '86400' }
  const server = await startServer({ dataDir, env, ...(isRoot ? asNobody() : {}) })
  running.push(server)
  return server
}

/** The program may stand where nobody else can go. */
function asNobody() {
  const bun = join(root, 'bun')
  cpSync(process.execPath, bun)
  chmodSync(bun, 0o755)
  chownSync(dataDir, NOBODY, NOBODY)
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const id = String(NOBODY)
  return { command: ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--', bun, main] }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read members of answers and compare them
async function json(server: RealServer, path: string): Promise<any> {
  return await (await server.call(path)).json()
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function until(server: RealServer, isSo: (status: any) => boolean) {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const status = await json(server, '/watch-folder')
    if (isSo(status)) return status
    await Bun.sleep(20)
  }
  throw new Error(`It did not come to that: ${JSON.stringify(await json(server, '/watch-folder'))} ${server.log()}`)
}
