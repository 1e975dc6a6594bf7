import { expect, test } from 'bun:test'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { json, startServer } from '../../process/real-server.ts'
import { tempFolder } from '../../temp-folder.ts'
import { reading } from './listening.ts'

test('a process that receives a stop signal ends its streams and exits at once', async () => {
  await using server = await startServer({ dataDir: tempFolder() })
  await server.login()
  const streams = await Promise.all([1, 2, 3].map(() => server.call('/events')))
  const readings = streams.map(reading)
  const shoe = json('POST', { brand: 'Asics', model: 'Novablast' })
  expect((await server.call('/shoes', shoe)).status).toBe(200)
  for (const stream of readings) expect(await stream.message()).toMatchObject({ id: 1, event: 'shoe.created' })
  const startMs = performance.now()
  const exited = server.end('SIGTERM')
  for (const stream of readings) expect(await stream.message()).toBe(null)
  expect(await exited).toBe(0)
  // without an end of the streams it would be the 7 s that requests at work are given
  expect(performance.now() - startMs).toBeLessThan(4_000)
}, 20_000)

test('a process that receives a stop signal in an import ends it after the file in hand, says so, and exits', async () => {
  const dataDir = tempFolder()
  await using server = await startServer({ dataDir })
  const cookie = await server.login()
  const stored = async () => ((await (await server.call('/workouts')).json()) as { totalCount: number }).totalCount
  const body = new FormData()
  for (let k = 0; k < 300; k += 1) {
    const file = fitRun({ startMs: START_MS - k * 864e5, seconds: 900 })
    body.append('file', new File([file.slice()], `${k}.fit`))
  }
  const answer = server.call('/workouts/import', { method: 'POST', body })
  while ((await stored()) < 3) await Bun.sleep(5)
  const startMs = performance.now()
  const exited = server.end('SIGTERM')
  const { status, said } = await answer.then(async (sent) => ({ status: sent.status, said: await sent.json() }))
  expect(await exited).toBe(0)
  // without an end of the import it would be the 7 s that requests at work are given
  expect(performance.now() - startMs).toBeLessThan(3_000)
  const error = expect.stringMatching(
    /^Harrier is stopping: \d+ of 300 files are done, the others were not imported; send them again$/,
  )
  expect([status, said]).toEqual([503, { error, code: 'stopping' }])
  const runs = Number(/\d+/.exec(JSON.stringify(said))?.[0])
  expect(runs).toBeWithin(3, 300)
  const lines = server.log().trim().split('\n').slice(-2)
  expect(lines).toEqual([
    expect.stringContaining('Stopping after SIGTERM'),
    expect.stringContaining(
      `Import of files: ${runs} imported, 0 duplicates, 0 updated, 1 errors. Harrier is stopping`,
    ),
  ])
  const next = await startServer({ dataDir })
  const { items } = (await (await next.call('/receipts', {}, cookie)).json()) as { items: unknown[] }
  expect(items).toMatchObject([{ finishedAt: expect.any(String), counts: { created: runs }, canUndo: true }])
  await next.end('SIGTERM')
}, 60_000)
