import { deserialize, serialize } from 'bun:jsc'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eachNumber } from '../src/engine/numbers.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { fitFormat } from '../src/formats/fit/fit.ts'
import { FIT_EPOCH_S } from '../src/formats/fit/profile.ts'
import { writeFit } from '../src/formats/write/fit.ts'
import { fillingLaps } from '../src/formats/write/laps.ts'
import type { WrittenRun } from '../src/formats/write/run.ts'
import { benchRun } from './library.ts'

const ROUNDS = 15
const HOURS = [1, 24]
const WRITERS = ['ours', 'sdk'] as const
type Writer = (typeof WRITERS)[number]
type Write = (run: WrittenRun) => Uint8Array

/**
 * Prints what our FIT writer and @garmin/fitsdk's Encoder take for the same run at 1 Hz (position, altitude, distance,
 * speed, heart rate, cadence, power, temperature): time in turn in one process, memory in a process of its own each,
 * and the bytes that each adds to a bundle.
 */
export async function benchFitWrite(): Promise<void> {
  const write = { ours: await writer('ours'), sdk: await writer('sdk') }
  const run = runOf(1)
  const [records, differing] = await compared(write.ours(run), write.sdk(run))
  console.log(`fit-write: an hour at 1 Hz, ${records} records, in turn in one process, ${ROUNDS} rounds`)
  console.log(`  records that the SDK reads differently from the two files: ${differing}`)
  const times: Record<Writer, number[]> = { ours: [], sdk: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of WRITERS) {
      const started = performance.now()
      write[name](run)
      times[name].push(performance.now() - started)
    }
  }
  for (const name of WRITERS) {
    const sorted = times[name].toSorted((a, b) => a - b)
    const ms = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((one) => one.toFixed(1))
    console.log(`  ${name.padEnd(4)} best ${ms[0]} ms, median ${ms[1]}, worst ${ms[2]}`)
  }
  for (const hours of HOURS) printAlone(hours)
  for (const [name, path] of [
    ['ours', '../src/formats/write/fit.ts'],
    ['sdk', '../node_modules/@garmin/fitsdk/src/encoder.js'],
  ] as const) {
    const built = await Bun.build({ entrypoints: [`${import.meta.dir}/${path}`], minify: true, target: 'bun' })
    console.log(`  ${name.padEnd(4)} adds ${((built.outputs[0]?.size ?? 0) / 1024).toFixed(1)} KiB of minified code`)
  }
}

/** A made run of so many hours, as `writeFit` takes it. */
function runOf(hours: number): WrittenRun {
  const { recording } = fitFormat.parse(benchRun(1, hours * 3600), { filename: 'hours.fit' }).activities[0]!
  const track = cleanRecording(recording!)!
  const endS = track.tS.at(-1)!
  const numbers = eachNumber((name) => (name === 'durationS' ? endS : null))
  const run = { id: 'bench', startMs: track.startMs, utcOffsetMinutes: 60, name: null, notes: null, numbers, track }
  return { ...run, ...fillingLaps(run, { laps: [], elevation: { thresholdM: 2, minDistanceM: 10 } }) }
}

async function writer(name: Writer): Promise<Write> {
  if (name === 'ours') return (run) => Buffer.concat(writeFit(run))
  const sdk = await import('@garmin/fitsdk')
  return (run) => writeWithSdk(sdk, run)
}

/** The same messages by the SDK; values are rounded here where its Encoder would cut off decimals. */
function writeWithSdk({ Encoder, Profile }: typeof import('@garmin/fitsdk'), run: WrittenRun): Uint8Array {
  const { id, track, laps, startMs, utcOffsetMinutes } = run
  const { tS, latDeg, lonDeg, elevM, heartRateBpm, cadenceRpm, distanceM, speedMps, powerW, temperatureC } = track!
  const { FILE_ID, EVENT, RECORD, LAP, SESSION, ACTIVITY } = Profile.MesgNum as Record<string, number>
  const timeAt = (elapsedS: number) => Math.round(startMs / 1000 + elapsedS) - FIT_EPOCH_S
  const semicircles = (degrees: number) => Math.round((degrees * 2 ** 31) / 180)
  const end = timeAt(tS.at(-1)!)
  const encoder = new Encoder()
  const add = (message: number | undefined, fields: object) => void encoder.onMesg(message!, fields)
  const timeCreated = timeAt(0)
  add(FILE_ID, { type: 'activity', manufacturer: 'development', serialNumber: Bun.hash.crc32(id), timeCreated })
  add(EVENT, { timestamp: timeCreated, event: 'timer', eventType: 'start' })
  for (let row = 0; row < track!.n; row += 1) {
    const cadence = Math.round(cadenceRpm[row]! * 128) / 128
    add(RECORD, {
      timestamp: timeAt(tS[row]!),
      positionLat: semicircles(latDeg[row]!),
      positionLong: semicircles(lonDeg[row]!),
      enhancedAltitude: elevM[row]!,
      heartRate: Math.round(heartRateBpm[row]!),
      cadence: Math.floor(cadence),
      fractionalCadence: cadence - Math.floor(cadence),
      distance: distanceM[row]!,
      enhancedSpeed: speedMps[row]!,
      power: Math.round(powerW[row]!),
      temperature: Math.round(temperatureC[row]!),
    })
  }
  add(EVENT, { timestamp: end, event: 'timer', eventType: 'stopAll' })
  for (const [messageIndex, { startS, endS, timerS, distanceM: totalDistance }] of laps.entries()) {
    const times = { timestamp: timeAt(endS), startTime: timeAt(startS), totalElapsedTime: endS - startS }
    add(LAP, { messageIndex, ...times, totalTimerTime: timerS, totalDistance })
  }
  const totalTimerTime = tS.at(-1)!
  const times = { timestamp: end, startTime: timeCreated, totalElapsedTime: totalTimerTime, totalTimerTime }
  add(SESSION, { ...times, sport: 'running', numLaps: laps.length })
  const localTimestamp = end + (utcOffsetMinutes ?? 0) * 60
  add(ACTIVITY, { timestamp: end, totalTimerTime, numSessions: 1, localTimestamp })
  return encoder.close()
}

/** Records of two files, and how many of them Garmin's Decoder reads differently. */
async function compared(...files: readonly Uint8Array[]): Promise<[records: number, differing: number]> {
  const { Decoder, Stream } = await import('@garmin/fitsdk')
  const [ours = [], sdk = []] = files.map((bytes) => {
    const { messages, errors } = new Decoder(Stream.fromByteArray([...bytes])).read()
    if (errors.length > 0) throw new Error('The SDK finds a fault in the file', { cause: errors[0] })
    return (messages.recordMesgs ?? []).map((record) => JSON.stringify(Object.entries(record).toSorted()))
  })
  return [ours.length, ours.filter((record, row) => record !== sdk[row]).length + Math.abs(sdk.length - ours.length)]
}

/** Each writer in a process of its own, which is given the run ready-made and loads that writer only. */
function printAlone(hours: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fit-write-'))
  try {
    const file = join(folder, 'run')
    writeFileSync(file, new Uint8Array(serialize(runOf(hours))))
    for (const name of WRITERS) {
      const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, name, file])
      console.log(`  ${name.padEnd(4)} ${hours} h in a process of its own: ${stdout.toString().trimEnd()}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureAlone(name: Writer, file: string): Promise<void> {
  const bytes = readFileSync(file)
  const run: WrittenRun = deserialize(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const before = peakMegabytes()
  const started = performance.now()
  const write = await writer(name)
  const loadedMs = performance.now() - started
  const kib = (write(run).length / 1024).toFixed(0)
  const ms = (performance.now() - started - loadedMs).toFixed(0)
  console.log(`loaded in ${loadedMs.toFixed(0)} ms, ${kib} KiB in ${ms} ms, peak RSS +${peakMegabytes() - before} MB`)
}

/** Highest resident size of this process so far. */
function peakMegabytes(): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024)
}

if (import.meta.main) {
  const [name, file] = process.argv.slice(2)
  if ((name === 'ours' || name === 'sdk') && file !== undefined) await measureAlone(name, file)
  else await benchFitWrite()
}
