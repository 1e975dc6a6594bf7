import { expect, test } from 'bun:test'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'
import { reading } from './listening.ts'

const folders = [tempFolder(), tempFolder()] as const

test('a process that receives a stop signal ends its streams and exits at once', async () => {
  const server = await startServer({ dataDir: folders[0] })
  try {
    await server.login()
    const streams = await Promise.all([1, 2, 3].map(() => server.call('/events')))
    const readings = streams.map(reading)
    const body = JSON.stringify({ brand: 'Asics', model: 'Novablast' })
    const headers = { 'content-type': 'application/json' }
    expect((await server.call('/shoes', { method: 'POST', body, headers })).status).toBe(200)
    for (const stream of readings) expect(await stream.message()).toMatchObject({ id: 1, event: 'shoe.created' })
    const startMs = performance.now()
    const exited = server.end('SIGTERM')
    for (const stream of readings) expect(await stream.message()).toBe(null)
    expect(await exited).toBe(0)
    // without an end of the streams it would be the 7 s that requests at work are given
    expect(performance.now() - startMs).toBeLessThan(4_000)
  } finally {
    await server.end('SIGKILL')
  }
}, 20_000)

test('a process that receives a stop signal in an import ends it after the file in hand, says so, and exits', async () => {
  const server = await startServer({ dataDir: folders[1] })
  try {
    const cookie = await server.login()
    const stored = async () => ((await (await server.call('/workouts')).json()) as { totalCount: number }).totalCount
    const body = new FormData()
    for (let k = 0; k < 600; k += 1)
      body.append('file', new File([fitRun({ startMs: START_MS - k * 864e5, seconds: 1800 }).slice()], `${k}.fit`))
    const answer = server.call('/workouts/import', { method: 'POST', body })
    while ((await stored()) < 3) await Bun.sleep(5)
    const startMs = performance.now()
    const exited = server.end('SIGTERM')
    const { status, json } = await answer.then(async (sent) => ({ status: sent.status, json: await sent.json() }))
    expect(await exited).toBe(0)
    // without an end of the import it would be the 7 s that requests at work are given
    expect(performance.now() - startMs).toBeLessThan(3_000)
    const runs = Number(/\d+/.exec(JSON.stringify(json))?.[0])
    expect(runs).toBeWithin(3, 600)
    const error = `Harrier is stopping: ${runs} of 600 files are done, the others were not imported; send them again`
    expect([status, json]).toEqual([503, { error }])
    const told = `Import of files: ${runs} imported, 0 duplicates, 0 updated, 1 errors. Harrier is stopping`
    const lines = server.log().trim().split('\n').slice(-2)
    expect(lines).toEqual(['Stopping after SIGTERM', told].map((line) => expect.stringContaining(line)))
    const next = await startServer({ dataDir: folders[1] })
    const { items } = (await (await next.call('/receipts', {}, cookie)).json()) as { items: unknown[] }
    expect(items).toMatchObject([{ finishedAt: expect.any(String), counts: { created: runs }, canUndo: true }])
    await next.end('SIGTERM')
  } finally {
    await server.end('SIGKILL')
  }
}, 60_000)
