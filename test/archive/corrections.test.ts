// Archives carry what was corrected, and whether that was declined; both can be changed again once restored.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { BOTH_FEET, bothFeetFit, bothFeetGpx } from '../fixtures/both-feet.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { contentOf, dataOf, entriesOf, exported, OWN_FORMAT, restored } from './archives.ts'
import { line, verified } from './verify/verifying.ts'

const DAY_MS = 86_400_000

/** A run without corrections, one that counts corrected, and one that counts as its file states. */
async function library(app: TestApp): Promise<readonly string[]> {
  const ids = [
    await app.run(fitRun({ startMs: START_MS - DAY_MS })),
    await app.run(bothFeetFit()),
    await app.run(bothFeetGpx({ startMs: START_MS + DAY_MS }), 'b.gpx'),
  ]
  await app.ok('PATCH', `/workouts/${ids[2]}`, { stated: true })
  return ids
}

test('corrections and what the runner chose come back, and verify finds no difference', async () => {
  await using app = await testApp()
  const [plain, corrected, stated] = await library(app)
  const zip = await exported(app)
  const entries = await entriesOf(app, zip)
  const rows: { workoutId: string; corrections?: unknown }[] = dataOf(entries, OWN_FORMAT.recordings)
  const byRun = Object.fromEntries(rows.map(({ workoutId, corrections }) => [workoutId, corrections]))
  expect(byRun).toEqual({ [plain!]: undefined, [corrected!]: [BOTH_FEET], [stated!]: [BOTH_FEET] })

  const { differences, kinds } = await verified(zip)
  expect(differences).toEqual([])
  expect(kinds).toContainEqual({ kind: 'recordings', ...line(3) })
  await using other = await testApp()
  expect((await restored(other, zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
  for (const id of [plain, corrected, stated]) {
    const sources = [`GET`, `/workouts/${id}/sources`] as const
    expect(await other.ok(...sources)).toEqual(await app.ok(...sources))
  }
  const [before, after] = [await contentOf(app), await contentOf(other)]
  for (const [name, content] of before) expect([name, after.get(name) === content]).toEqual([name, true])

  await other.ok('PATCH', `/workouts/${stated}`, { stated: false })
  await other.ok('PATCH', `/workouts/${corrected}`, { stated: true })
  const cadence = async (id: string) => (await other.ok('GET', `/workouts/${id}`)).avgCadenceRpm
  expect([await cadence(corrected!), await cadence(stated!)]).toEqual([172, 86])
})

test('invalid corrections of an archive are left out', async () => {
  const { RECORDING } = await import('../../src/archive/format/recording-rows.ts')
  const { corrections: read } = RECORDING
  expect(read([BOTH_FEET, { ...BOTH_FEET, what: 'mood' }, { ...BOTH_FEET, reason: 5 }, null])).toEqual([BOTH_FEET])
  expect(read([{ ...BOTH_FEET, stated: {}, used: 'none' }])).toEqual([{ ...BOTH_FEET, stated: null, used: 'none' }])
  expect([read(undefined), read('x')]).toEqual([[], []])
})
