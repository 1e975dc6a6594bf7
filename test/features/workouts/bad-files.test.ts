// Damaged, hostile and odd files, and files that are not runs: what a runner reads about each.
import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, type TestApp, type TestFile, testApp } from '../../app.ts'
import { corpusDir, corpusFile, corpusTest } from '../../corpus.ts'
import { synthetic, syntheticFile } from '../../synth.ts'

/** Expected start, distance and duration of a workout, as far as the table tells them; `error` a part of the sentence. */
interface Outcome {
  readonly startedAt?: string
  readonly distanceM?: number
  readonly durationS?: number
  readonly hasRoute?: boolean
  readonly elevGainM?: null
  readonly skippedOther?: number
  readonly error?: RegExp
}

const WEB_PAGE = /^This is a web page, not a workout file$/
const DTD = /^The file has a document type declaration \(DTD\), which is refused$/
const ZIP = /^This is a ZIP archive; import it as an export of another app$/

/** The same outcome of several files. */
const all = (names: string, outcome: Outcome): Record<string, Outcome> =>
  Object.fromEntries(names.split(' ').map((name) => [name, outcome]))

const BAD: Readonly<Record<string, Outcome>> = {
  ...all('activity-filecrc.fit activity-unexpected-eof.fit chained-activity-settings.fit', {
    ...{ distanceM: 5.73, durationS: 14 },
  }),
  'activity_truncated-no-session.fit': { distanceM: 5.73, durationS: 13, hasRoute: false },
  'truncated-60pct.fit': { startedAt: '2015-08-15T14:45:08Z', distanceM: 6211.22 },
  'two-sessions-run.fit': { distanceM: 7313.34, durationS: 2913, skippedOther: 1 },
  'multisport-chained-hr.fit': { startedAt: '2018-05-27T09:23:41Z', distanceM: 9805.92, skippedOther: 4 },
  'time-jump-20-days.fit': { durationS: 3389, distanceM: 10496.97 },
  'antimeridian.gpx': { startedAt: '2017-05-27T08:13:01Z', durationS: 399 },
  'out-of-order.gpx': { durationS: 299 },
  'duplicate-timestamps.gpx': { durationS: 298 },
  'huge-gap-15h.gpx': { durationS: 86_249 },
  'no-elevation-8-tracks.gpx': { durationS: 7176, elevGainM: null },
  ...all('unbound-prefix.gpx latin1-declared-as-utf8.gpx utf16-bom.gpx', {}),
  ...all('hr-only-zeros-zwift-ride.fit one-second-jump-to-past.fit', { error: /cycling/i }),
  ...all('31-days-activity-ride.fit ride-garmin-fenix-5-bike.fit', { error: /cycling/i }),
  'swim-fr910xt.fit': { error: /swimming/i },
  'empty.fit': { error: /^The file is empty$/ },
  'compressed-speed-distance-system-time.fit': { error: /have no date/ },
  'settings.fit': { error: /settings file/ },
  'monitoring.fit': { error: /monitoring file/ },
  'course.fit': { error: /course file/ },
  // its session, which stands in front, says so as well
  'strava-android-app.fit': { distanceM: 11_274.04, durationS: 3558 },
  'no-time.gpx': { error: /^Most track points of this GPX have no time$/ },
  'single-point.gpx': { error: /^GPX has only one track point with a time$/ },
  'route-only.gpx': { error: /^GPX has no track points with times$/ },
  'missing-lat-lon.gpx': { error: /./ },
  'truncated.gpx': { error: /^The file is cut off: its XML ends too early$/ },
  'truncated.fit.gz': { error: /^The gzip file is cut off or damaged$/ },
  'gzip-bomb-100MB.fit.gz': { error: /^The file is blank$/ },
  'html-login-page.gpx': { error: WEB_PAGE },
  ...all('billion-laughs.gpx xxe-external-entity.gpx', { error: DTD }),
  'zip-slip.zip': { error: ZIP },
}

const SYNTHETIC: Readonly<Record<string, Outcome>> = {
  'empty.gpx': { error: /^The file is empty$/ },
  'whitespace.gpx': { error: /^The file is blank$/ },
  ...all('html.fit gz-of-html.fit.gz html.zip', { error: WEB_PAGE }),
  'double-gz.fit.gz': { error: /^The file is compressed twice$/ },
  ...all('not-gzip.fit.gz fit-named.gpx crc.fit cut1.fit trailing-zeros.fit wrong-size.fit zero-size.fit', {
    ...{ distanceM: 900, durationS: 300 },
  }),
  ...all('gpx-named.fit run.txt RUN.GPX bom.gpx nan.gpx lat95.gpx no-ns.gpx gpx10.gpx', { durationS: 300 }),
  ...all('hr300.gpx hrneg.gpx hrfloat.gpx', { durationS: 300 }),
  'year1901.gpx': { error: /^The run starts on 1901-12-13, which is before 1990: the clock of the watch was not set$/ },
  'future.gpx': { error: /^The run starts on 2094-05-01, which is in the future$/ },
  'badtime.gpx': {},
  ...all('two-points-same-place.gpx teleport.gpx', { error: /distance/ }),
  'two-points-same-time.gpx': { error: /time/ },
  'cut10.fit': { error: /./ },
  'zip-no-activities-csv.zip': { error: ZIP },
  ...all('not-a-zip.zip zip-broken-csv.zip zip-nested-folder.zip', { error: /ZIP/ }),
}

async function expectOutcome(app: TestApp, file: TestFile, { error, skippedOther = 0, ...run }: Outcome) {
  const answer = await app.upload('/workouts/import', [file])
  expect(app.logged, file.name).toEqual([])
  if (error !== undefined) return expectRefusal(answer, file.name, error)
  expect(answer.status, `${file.name}: ${answer.text}`).toBe(200)
  const detail = await app.ok('GET', `/workouts/${answer.json.id}?includeRaw=false`)
  const near = run.distanceM === undefined ? {} : { distanceM: expect.closeTo(run.distanceM, 1) }
  expect(detail, file.name).toMatchObject({ ...run, ...near })
  expect(answer.json.skippedOther ?? 0, file.name).toBe(skippedOther)
}

/** A sentence for a person: no paths, no library's words, nothing of the machine. */
function expectRefusal(answer: Answer, name: string, error: RegExp): void {
  expect(answer.status, `${name}: ${answer.text}`).toBe(400)
  expect(Object.keys(answer.json)).toEqual(['error', 'code'])
  expect(['unknown_format', 'file_unreadable', 'not_a_run'], name).toContain(answer.json.code)
  expect(answer.json.error, name).toMatch(error)
  expect(answer.json.error, name).toMatch(/^[A-Z][^\n]*[^.]$/)
  expect(answer.json.error, name).not.toMatch(/\/|Error|undefined|NaN|null|zlib|saxes|SQL|0x/)
}

corpusTest(
  'every bad file of the corpus, and every malformed synthetic one, has the outcome of the table',
  async () => {
    const { folder, truth } = synthetic<Record<string, string>>('bad')
    const present = readdirSync(resolve(corpusDir ?? '', 'bad'))
    expect(present.toSorted()).toEqual(Object.keys(BAD).toSorted())
    expect(Object.keys(truth).toSorted()).toEqual([...Object.keys(SYNTHETIC), 'chained2.fit'].toSorted())
    const cases = [
      ...Object.entries(BAD).map(([name, expected]) => ({ name, bytes: corpusFile(`bad/${name}`), expected })),
      ...Object.entries(SYNTHETIC).map(([name, expected]) => ({ name, bytes: syntheticFile(folder, name), expected })),
    ]
    for (const { name, bytes, expected } of cases) {
      // the damaged twins of one recording would be duplicates of each other
      await using app = await testApp()
      await expectOutcome(app, { name, bytes }, expected)
    }
    await using app = await testApp()
    const twice = { name: 'chained2.fit', bytes: syntheticFile(folder, 'chained2.fit') }
    const counts = { totalProcessed: 2, successful: 1, skipped: 1, errors: 0, skippedOther: 0, warnings: [] }
    expect((await app.upload('/workouts/import', [twice])).json).toMatchObject(counts)
  },
)
