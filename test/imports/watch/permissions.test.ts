import { afterAll, describe, expect, test } from 'bun:test'
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { type RealServer, startServer } from '../../process/real-server.ts'

/**
 * Root may read what nobody may: the service is then root without these rights. It is not another user, who could not
 * enter the folder of the program where that is private (0700), such as root's home.
 */
const READS_ALL = '-dac_override,-dac_read_search'
const WITHOUT_RIGHTS = ['setpriv', '--bounding-set', READS_ALL, '--inh-caps', READS_ALL, '--']
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
    const folders = [{ state: 'watching', unreadableFolders: ['closed'] }]
    expect(seen).toMatchObject({ folders, counts: { errors: 0 } })
    // a file that was seen waits as well, until it is tried
    const waiting = () => json(server, '/watch-folder/files?outcome=waiting')
    for (let tries = 0; tries < 1000 && (await waiting()).items[0]?.reason === null; tries += 1) await Bun.sleep(50)
    const { items } = await waiting()
    expect(items).toMatchObject([{ name: 'shut.fit', reason: 'Harrier has no permission to read this file' }])
    expect(items[0].failingSince).toBeString()

    chmodSync(join(folder, 'closed'), 0o755)
    chmodSync(join(folder, 'shut.fit'), 0o644)
    const again = await server.call(`/watch-folder/files/${items[0].id}/import`, { method: 'POST' })
    expect(await again.json()).toMatchObject({ action: 'created' })
    await server.call('/watch-folder/look', { method: 'POST' })
    const mended = await until(server, ({ counts }) => counts.created === 3)
    expect(mended).toMatchObject({ folders: [{ unreadableFolders: [] }], counts: { waiting: 0 } })

    close('')
    for (const state of ['unreadable', 'watching']) {
      await server.call('/watch-folder/look', { method: 'POST' })
      expect(await json(server, '/watch-folder')).toMatchObject({ folders: [{ state }], counts: { created: 3 } })
      chmodSync(folder, 0o755)
    }
  }, 120_000)
})

async function started(): Promise<RealServer> {
  const env = { WATCH_DIR: folder, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '86400' }
  let readsAll = true
  try {
    accessSync(join(folder, 'shut.fit'), constants.R_OK)
  } catch {
    readsAll = false
  }
  const server = await startServer({ dataDir, env, through: readsAll ? WITHOUT_RIGHTS : [] })
  running.push(server)
  return server
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
