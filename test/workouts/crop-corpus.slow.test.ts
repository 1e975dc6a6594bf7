// Real runs cropped, against imports of the same files cut by hand before they were read.
import { afterAll, expect } from 'bun:test'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { Track } from '../../src/engine/track.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { testApp } from '../app.ts'
import { corpusFile, corpusTest } from '../corpus.ts'
import { type FitSample, fitFile } from '../fixtures/fit.ts'

const app = await testApp()
afterAll(app.close)

/** Imports into an empty library. */
async function imported(bytes: Uint8Array, name: string): Promise<string> {
  for (const { id } of (await app.ok('GET', '/workouts')).items) await app.ok('DELETE', `/workouts/${id}`)
  await app.ok('DELETE', '/trash')
  return await app.run(bytes, name)
}

/** A file that is imported and cropped gives what one gives that was cut by hand. */
async function expectAsByHand(path: string, share: readonly [number, number], cut: typeof cutFit): Promise<void> {
  const track = trackOf(path)
  const [startS, endS] = cutTimes(track, share)
  const id = await imported(corpusFile(path), path)
  const removed = { removeFromStartSeconds: startS, removeFromEndSeconds: track.tS.at(-1)! - endS }
  const { distanceM, durationS } = await app.ok('POST', `/workouts/${id}/crop`, removed)
  expect([distanceM, durationS].every((value) => value > 0)).toBe(true)
  const crop = await derived(id)
  expect(crop).toEqual(await derived(await imported(cut(path, startS, endS), `a.${path.split('.').at(-1)}`)))
}

/** Everything derived. */
async function derived(id: string) {
  const detail = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  for (const name of OF_FILE) delete detail[name]
  const { distances } = await app.ok('GET', `/workouts/${id}/best-efforts`)
  const series = await app.ok('GET', `/workouts/${id}/time-series?pageSize=5000`)
  return { ...detail, distances, series }
}

/** What is of the whole file; the suggested type may be from laps, which a file that is cut by hand does not have. */
const OF_FILE = [
  ...['name', 'notes', 'source', 'device', 'createdAt', 'id', 'weather', 'calories', 'rpe', 'suggestedRunType'],
]

function trackOf(name: string): Track {
  const { activities } = parseFile(corpusFile(name), { filename: name, nowMs: Date.UTC(2026, 0, 1) })
  return cleanRecording(activities[0]!.recording!)!
}

const TIME = /<time>([^<]+)<\/time>/

/** The text of a GPX without the points outside of the span. */
function cutGpx(name: string, startS: number, endS: number): Uint8Array {
  const [fromMs, toMs] = [startS, endS].map((s) => trackOf(name).startMs + s * 1000) as [number, number]
  const text = new TextDecoder().decode(corpusFile(name))
  const cut = text.replace(/<trkpt[\s\S]*?<\/trkpt>/g, (point) => {
    const atMs = Date.parse(TIME.exec(point)?.[1] ?? '')
    return atMs >= fromMs && atMs <= toMs ? point : ''
  })
  return new TextEncoder().encode(cut.replace(/<metadata>[\s\S]*?<\/metadata>/, ''))
}

/** Where a third and nine tenths of the rows are; a cut at rows with a position, as a hand would choose them. */
function cutTimes({ tS, latDeg }: Track, share: readonly [number, number]): [number, number] {
  const rows = [...tS.keys()].filter((row) => !Number.isNaN(latDeg[row]!))
  return [tS[rows[Math.floor(rows.length * share[0])]!]!, tS[rows[Math.floor(rows.length * share[1])]!]!]
}

const SHARES = [
  [0, 0.6],
  [0.3, 0.9],
  [0.55, 0.999],
] as const

for (const name of ['1681613317', '2067489619', 'garmin-connect', 'strava-export', 'tomtom-run-2seg', 'amazfit']) {
  for (const share of SHARES) {
    corpusTest(`${name}.gpx cropped to ${share.join(' .. ')} of its points is the file cut by hand`, () =>
      expectAsByHand(`gpx/${name}.gpx`, share, cutGpx),
    )
  }
}

/** The FIT file of the rows of a span: same samples, same timer, no session. */
function cutFit(name: string, startS: number, endS: number): Uint8Array {
  const track = trackOf(name)
  const rows = [...track.tS.keys()].filter((row) => track.tS[row]! >= startS && track.tS[row]! <= endS)
  const startM = startS === 0 ? 0 : track.distanceM[rows[0]!]!
  const known = (value: number) => (Number.isNaN(value) ? undefined : value)
  const samples = rows.map((row): FitSample => {
    const entries = {
      lat: known(track.latDeg[row]!),
      lon: known(track.lonDeg[row]!),
      distanceM: known(track.distanceM[row]! - startM),
      elevM: known(track.elevM[row]!),
      speedMps: known(track.speedMps[row]!),
      hr: known(track.heartRateBpm[row]!),
      cadence: known(track.cadenceRpm[row]!),
      powerW: known(track.powerW[row]!),
      temperatureC: known(track.temperatureC[row]!),
    }
    const given = Object.entries(entries).filter(([, value]) => value !== undefined)
    return { t: track.tS[row]! - startS, ...Object.fromEntries(given) }
  })
  const timer = track.off.flatMap((off) => {
    const [from, to] = [Math.max(startS, off.startS) - startS, Math.min(endS, off.endS) - startS]
    return to > from ? [[from, 4] as const, [to, 0] as const] : []
  })
  return fitFile({
    startMs: track.startMs + startS * 1000,
    samples,
    timer: [[0, 0], ...timer],
    session: null,
    enhanced: true,
    ...(track.elevationSource === 'baro' ? { devices: [{ deviceIndex: 0, deviceType: 4, sourceType: 5 }] } : {}),
  })
}

const FIT = [
  'Fenix-2-pauses',
  'running-with-developer-data',
  '6916663933-coros-apex-pro',
  '6909950168-suunto9baro-trail',
  'FR735XT-with-performance-condition',
  'Fr955v19.28andStryd',
  'FR920xt-with-Stryd-no-hr',
  '3386684871-vivoactive-hr',
]

for (const name of FIT) {
  for (const share of SHARES) {
    // its watch wrote so few distances up to there that an import of the part alone would measure the positions
    if (name.includes('suunto9baro') && share[0] === 0) continue
    corpusTest(`${name}.fit cropped to ${share.join(' .. ')} of its points is the file cut by hand`, () =>
      expectAsByHand(`fit/${name}.fit`, share, cutFit),
    )
  }
}
