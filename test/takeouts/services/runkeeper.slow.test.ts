import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { runkeeperGpx, runkeeperTable } from '../../fixtures/runkeeper.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectExport, PATH } from './expect-export.ts'

test('an export of Runkeeper with 400 runs, 73 of them without a file, is imported and undone', async () => {
  // the table has winter's offset throughout, so those without a file are in winter
  const runs = knownRuns(400)
  const isSummary = ({ number }: KnownRun) => number % 2 === 1 && (number < 6 || (number > 230 && number < 370))
  const gpx = (run: KnownRun) => `${run.number}.gpx`
  const rows = runs.map((run) => (isSummary(run) ? { run } : { run, gpx: gpx(run) }))
  const other = knownRuns(401)[400]!
  const broken = { run: knownRuns(402)[401]!, gpx: 'broken.gpx' }
  const file = zipUpload({
    'export/cardioActivities.csv': runkeeperTable([
      ...rows,
      { run: other, type: 'Cycling' },
      { run: other, type: 'Walking' },
      broken,
    ]),
    'export/measurements.csv': 'Date,Type,Value\n',
    'export/broken.gpx': runkeeperGpx(other).subarray(0, 900),
    ...Object.fromEntries(
      runs.filter((run) => !isSummary(run)).map((run) => [`export/${gpx(run)}`, runkeeperGpx(run)]),
    ),
  })
  const skippedSports = { ride: 1, walk: 1 }
  await expectExport(file, { kind: 'runkeeper', runs, skippedSports, errors: ['export/broken.gpx'], ignored: 1 })
}, 120_000)

test('a run without a file begins at its local time in the zone of the nearest run with a position', async () => {
  const winter = knownRuns(1)[0]!
  const summer = { ...winter, number: 1, startMs: winter.startMs - 120 * 86_400_000 }
  const table = runkeeperTable([
    { run: { ...winter, number: 2, startMs: winter.startMs - 86_400_000 }, notes: 'by hand' },
    { run: summer, gpx: 'a.gpx' },
    { run: { ...summer, number: 3, startMs: summer.startMs - 86_400_000 } },
  ])
  await using app = await testApp()
  const { json } = await app.upload(PATH, [zipUpload({ 'cardioActivities.csv': table, 'a.gpx': runkeeperGpx(summer) })])
  expect(json).toMatchObject({ kind: 'runkeeper', successful: 3, errors: 0, warnings: [] })
  const { items } = await app.ok('GET', '/workouts')
  // the table has times an hour ahead of UTC, where in July clocks are two
  expect(items.map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt))).toEqual([
    winter.startMs - 86_400_000,
    summer.startMs,
    summer.startMs - 86_400_000 - 3_600_000,
  ])
  expect(items[0]).toMatchObject({ distanceM: 150, durationS: 60, source: 'csv_import' })
  expect((await app.ok('GET', `/workouts/${items[0].id}`)).notes).toBe('by hand')
})

test('a table that ends early keeps the rows before, and says so', async () => {
  const runs = knownRuns(20)
  const table = runkeeperTable(runs.map((run) => ({ run, notes: `note ${run.number}` })))
  const ends = table.split('\n').map((line, k, lines) => lines.slice(0, k).join('\n').length + 1 + line.length)
  await using app = await testApp()
  for (let part = 1; part < 64; part += 1) {
    const at = Math.floor((table.length * part) / 64)
    const cut = zipUpload({ 'cardioActivities.csv': table.slice(0, at) })
    const { json } = await app.upload(PATH, [cut], { dryRun: 'true' })
    const kept = ends.filter((end) => end <= at).length - 1
    const isWithin = !ends.includes(at) && !ends.includes(at - 1)
    if (kept > 0) expect(json).toMatchObject({ successful: kept, errors: isWithin ? 1 : 0 })
    if (kept > 0 && !isWithin) continue
    expect(json.error ?? json.errorDetails[0].error).toMatch(
      /^cardioActivities.csv has no|is not closed|^The table is cut off/,
    )
  }
})
