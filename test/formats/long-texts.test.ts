import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import { FormatError, type RawPoint } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { utf8Document } from '../../src/formats/xml/encoding.ts'
import { gpxFormat } from '../../src/formats/xml/gpx.ts'
import { tcxFormat } from '../../src/formats/xml/tcx.ts'
import { analyzeFile } from '../../src/workers/analyze-file.ts'
import { readRaw } from '../../src/workers/read-raw.ts'
import { gpxOfTexts, pointBomb } from '../fixtures/bombs.ts'
import { stravaCsv, stravaRows } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
const MIB = 1024 * 1024
const bytesOf = (text: string) => new TextEncoder().encode(text)
const gpxRun = (texts: Parameters<typeof gpxOfTexts>[0]) =>
  gpxFormat.parse(gpxOfTexts(texts), { filename: 'a.gpx' }).activities[0]!
const metadataOf = (texts: Parameters<typeof gpxOfTexts>[0]) =>
  gpxRun(texts).rawGpxData?.().metadata as Record<string, string>

test('texts of a GPX are cut, each to its length', () => {
  const long = 'é😀'.repeat(MIB / 4)
  const run = gpxRun({ creator: long, trackName: long, trackDescription: long })
  expect([run.device, run.name, run.notes].map((text) => [...text!].length)).toEqual([100, 200, 10_000])
  const { desc, keywords } = metadataOf({ metadataDescription: long, keywords: long })
  expect([[...desc!].length, [...keywords!].length]).toEqual([10_000, 2000])
  expect(desc).toBe('é😀'.repeat(5000))
})

test('control characters do not count, entities count as what they are, comments do not hide what follows', () => {
  const control = '\u0001'.repeat(MIB)
  expect(gpxRun({ trackDescription: `${control}A quiet run${control}` }).notes).toBe('A quiet run')
  expect(metadataOf({ metadataDescription: control })).not.toHaveProperty('desc')
  expect(gpxRun({ trackDescription: '&#x1F600;'.repeat(20_000) }).notes).toBe('😀'.repeat(10_000))
  expect(gpxRun({ trackDescription: `A <!-- ${'x'.repeat(MIB)} -->quiet run` }).notes).toBe('A quiet run')
  const divided = 'quiet<!-- -->'.repeat(100_000)
  expect(gpxRun({ trackDescription: divided }).notes).toBe('quiet'.repeat(2000))
})

test('a text of a TCX is cut; of nothing but activities or laps it is refused before they take memory', () => {
  const parse = (inner: string) =>
    tcxFormat.parse(bytesOf(`<TrainingCenterDatabase>${inner}</TrainingCenterDatabase>`), { filename: 'a.tcx' })
  const point = (i: number) =>
    `<Trackpoint><Time>2025-11-01T06:00:0${i}Z</Time><DistanceMeters>${i}</DistanceMeters></Trackpoint>`
  const lap = `<Lap><Track>${point(0)}${point(1)}</Track></Lap>`
  const activity = `<Activity Sport="Running">${lap}<Notes>${'y'.repeat(MIB)}</Notes></Activity>`
  const [run] = parse(`<Activities>${activity}</Activities>`).activities
  expect(run?.notes).toBe('y'.repeat(10_000))
  expect(run?.rawGpxData?.().metadata).toEqual({ desc: 'y'.repeat(10_000) })
  for (const [inner, message] of [
    ['<Activity><Trackpoint/></Activity>'.repeat(20_000), 'The file has more than 10000 activities'],
    [`<Activity>${'<Lap/>'.repeat(200_000)}</Activity>`, 'The file has more than 100000 laps'],
  ] as const)
    expect(() => parse(inner)).toThrow(new FormatError(message))
})

test('a file of more than 10,000 runs is refused', () => {
  const healthRuns = (count: number) => {
    const one = '{"name":"Run","start":"2025-11-01 06:00:00 +0000","duration":60,"distance":{"qty":1,"units":"km"}}'
    return bytesOf(`{"data":{"workouts":[${Array.from({ length: count }, () => one).join(',')}]}}`)
  }
  const samples = Array.from({ length: 200 }, (_, t) => ({ t, distanceM: 3 * t }))
  const session = Array.from({ length: 100 }, (_, k) => ({ startS: 2 * k, totalElapsedS: 1 }))
  const hundred = fitFile({ startMs: Date.UTC(2025, 10, 1, 6), samples, session })
  const fitRuns = (count: number) => Buffer.concat(Array.from({ length: count / 100 }, () => hundred))
  const parse = (bytes: Uint8Array, filename: string) => parseFile(bytes, { filename, nowMs: Date.UTC(2026, 0, 1) })
  expect(parse(healthRuns(10_000), 'a.json').activities).toHaveLength(10_000)
  const refused = new FormatError('The file has more than 10000 runs')
  expect(() => parse(healthRuns(10_001), 'a.json')).toThrow(refused)
  expect(() => parse(fitRuns(10_100), 'a.fit')).toThrow(refused)
})

test('cells of an activities.csv are cut, and a long row costs the others nothing', () => {
  const run = (text: string) => ({
    ...{ 'Activity Date': 'Jul 12, 2016, 5:13:58 PM', 'Activity Type': 'Run', 'Elapsed Time': 1800, Distance: '5.00' },
    ...{ 'Activity Name': text, 'Activity Description': text, 'Activity Private Note': text },
    'Weather Condition': text,
  })
  const [odd, plain] = [...stravaRows([stravaCsv([run('z\u0001'.repeat(2 * MIB)), run('short')])])]
  expect(plain).toMatchObject({ name: 'short', notes: 'short\n\nshort' })
  expect(odd?.name).toBe('z'.repeat(200))
  expect(odd?.notes).toBe(`${'z'.repeat(10_000)}\n\n${'z'.repeat(10_000)}`)
  const raw = odd?.raw as { activityDescription: string; weather: { condition: string } }
  expect([raw.activityDescription.length, raw.weather.condition.length]).toEqual([10_000, 2000])
})

test('a document that would be larger than 100 MiB as UTF-8 is refused', () => {
  const euros = new Uint8Array(40 * MIB).fill(0x80)
  euros.set(bytesOf('<?xml version="1.0" encoding="windows-1252"?>'))
  expect(() => utf8Document(euros)).toThrow(new FormatError('The file is larger than 100 MiB as UTF-8'))
})

test('raw points of a long track are thinned evenly, and of what packs too well to what fits the upload', async () => {
  const analyzed = async (points: number) => {
    const file = new Uint8Array(pointBomb(points))
    const size = file.length
    const [filename, nowMs] = ['a.gpx.gz', Date.UTC(2026, 0, 1)]
    const settings = { zones: DEFAULT_ZONES, elevation: { thresholdM: 2, minDistanceM: 10 }, splitLengthM: 1000 }
    const [run] = (await analyzeFile({ file, filename, nowMs, ...settings })).runs
    if (run === undefined || 'error' in run) throw new Error('no run')
    const path = join(folder, filename)
    writeFileSync(path, file)
    const about = { path, filename, session: 0, importedAtMs: nowMs, anySport: false, points: true }
    const json = Buffer.concat(await readRaw(about)).toString()
    const raw = JSON.parse(json) as { trackPoints: RawPoint[]; thinnedFrom?: number }
    return { raw, size, bytes: json.length, n: run.samples?.sampleCount }
  }
  const small = await analyzed(3000)
  expect([small.raw.trackPoints.length, small.raw.thinnedFrom]).toEqual([3000, undefined])
  const long = await analyzed(150_000)
  expect([long.n, long.raw.thinnedFrom]).toEqual([150_000, 150_000])
  expect(long.raw.trackPoints.length).toBeLessThanOrEqual(100_000)
  expect(long.raw.trackPoints[0]?.time).toBe('2025-11-01T06:00:00Z')
  expect(long.bytes).toBeLessThan(8.1 * long.size)
})
