// `bun run start` in a fresh clone: it installs what serving needs and no more, and that is enough.
import { expect, test } from 'bun:test'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { png } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, startServer } from './real-server.ts'

const ROOT = new URL('../../', import.meta.url).pathname

test('it installs less than 35 MB, with which page, API document, imports, photos, export and restore work', async () => {
  const clone = tempFolder()
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', 'src']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true })
  }
  const server = await startServer({
    dataDir: join(clone, 'data'),
    cwd: clone,
    command: [process.execPath, 'run', 'start'],
    env: { HOME: process.env.HOME ?? '' },
  })
  try {
    await server.login()
    const packages = Bun.spawnSync(['du', '-sm', 'node_modules'], { cwd: clone }).stdout.toString()
    expect(Number.parseInt(packages, 10)).toBeLessThan(35)
    expect(existsSync(join(clone, 'node_modules/typescript'))).toBe(false)
    const page = await server.call('/app')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
    expect(((await (await server.call('/swagger/json')).json()) as { openapi: string }).openapi).toStartWith('3.')
    const sent = async (path: string, name: string, bytes: Uint8Array) => {
      const answer = await server.call(path, oneFile(name, bytes))
      return (await answer.json()) as { id: string; action: string; success: boolean }
    }
    const { id, action } = await sent('/workouts/import', 'a.fit', fitRun())
    expect(action).toBe('created')
    expect((await sent('/workouts/import', 'b.gpx.gz', Bun.gzipSync(gpxRun({ seconds: 900 }).slice()))).action).toBe(
      'created',
    )
    expect(await sent(`/workouts/${id}/media`, 'a.png', png())).toHaveLength(1)
    const archive = await (await server.call('/workouts/export', { method: 'POST' })).bytes()
    expect((await sent('/workouts/import/export', 'all.zip', archive)).success).toBe(true)
  } finally {
    await server.end('SIGTERM')
  }
}, 120_000)
