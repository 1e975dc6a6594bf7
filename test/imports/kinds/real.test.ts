// What services really wrote, as far as samples of it are known.
import { expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestFile, testApp } from '../../app.ts'
import { corpusDir, corpusFile, corpusTest, expectedOf } from '../../corpus.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { PATH } from './exports.ts'

const of = (name: string) => corpusFile(`archives/${name}`)
const alone = (name: string): TestFile => ({ name: name.split('/').at(-1)!, bytes: of(name) })

function folder(name: string): TestFile {
  const root = join(corpusDir!, 'archives', name)
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return zipUpload(Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path)])))
}

const POLAR = 'training-session-2017-01-23-running.json'
const CARDIO = 'runkeeper/cardioActivities.csv'

/** A file, what is answered of it, and what the first run is. */
const SAMPLES: readonly (readonly [name: string, file: () => TestFile, answer: object, run: object | null])[] = [
  [
    'Polar Flow: as the file states; along the route it is 2% more',
    () => zipUpload({ [POLAR]: of(`polar-flow/${POLAR}`) }),
    { kind: 'polar_flow', successful: 1, errors: 0 },
    { name: 'Laufen', startedAt: '2017-01-23T17:20:18Z', durationS: 2754, avgHeartRateBpm: 138, distanceM: 6595 },
  ],
  [
    'adidas Running, without its shoe',
    () => folder('runtastic'),
    { kind: 'runtastic', successful: 1, shoesCreated: 0, ignored: 2 },
    { startedAt: '2018-09-01T09:28:34Z', distanceM: 10110, durationS: 2983, shoeId: null, avgHeartRateBpm: 173 },
  ],
  [
    'GoldenCheetah: a ride',
    () => alone('goldencheetah/2010_08_15_10_53_30.json'),
    { skippedSports: { ride: 1 } },
    null,
  ],
  [
    'Health Auto Export: a run needs a distance',
    () => alone('health-auto-export/workouts.json'),
    { skippedOther: 2, errors: 1, errorDetails: [{ error: 'The run without name has no distance' }] },
    null,
  ],
  [
    'Runkeeper: runs of which the files are missing',
    () => alone(CARDIO),
    { kind: 'runkeeper', successful: 29, errors: 1, skippedSports: { ride: 3, walk: 3, other: 2 } },
    {},
  ],
]

for (const [name, file, answer, run] of SAMPLES) {
  corpusTest(name, async () => {
    await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
    app.clock.nowMs = Date.UTC(2026, 3, 1)
    const { json } = await app.upload(PATH, [file()])
    expect(json).toMatchObject(answer)
    const { items } = await app.ok('GET', '/workouts?pageSize=100')
    if (run === null) expect(items).toEqual([])
    else expect(items[0]).toMatchObject(run)
    if (json.kind !== 'runkeeper') return
    expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([
      '25 GPX files that the table names are not in the export; these runs have their totals only',
      'No run of the export has a position, so local times count as UTC',
    ])
    const { activities } = (expectedOf('archives') as Record<string, { activities: Record<string, unknown>[] }>)[
      CARDIO
    ]!
    const expected = activities.filter(({ type, duration_s }) => type === 'Running' && duration_s !== 0)
    const byStart = new Map(items.map((item: { startedAt: string }) => [item.startedAt, item]))
    for (const { start_local, duration_s: durationS, distance_m: distanceM, avg_hr: avgHeartRateBpm } of expected)
      expect(byStart.get(`${start_local}Z`)).toMatchObject({ durationS, distanceM, avgHeartRateBpm })
  })
}

corpusTest('exports that are known but not read are refused by name, with what to do instead', async () => {
  await using app = await testApp()
  for (const [name, error] of [
    ['endomondo/workout-tracked.json', 'Endomondo exports are not read; the GPX or TCX files that came with them are'],
    [
      'runalyze/with-equipment.json',
      'Backups of Runalyze are not read; import the original files that it keeps, as a ZIP',
    ],
    ['suunto/multisport.json', 'This is the log of one Suunto workout, not an export: import it as a single file'],
  ] as const)
    expect([name, await app.upload(PATH, [alone(name)])]).toMatchObject([name, { status: 400, json: { error } }])
})
