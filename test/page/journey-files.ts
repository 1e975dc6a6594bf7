import type { Page } from 'playwright-core'
import { corpusDir, corpusFile } from '../corpus.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import type { FileToDrop } from './browser.ts'
import { DAY_MS } from './suite.ts'

/** What is dropped on the page, and what of it is known from elsewhere. */
export interface JourneyFiles {
  readonly files: readonly FileToDrop[]
  /** The run whose page is looked at: with position, heart rate and climb. */
  readonly main: { readonly file: string; readonly distanceM: number; readonly splits: number }
  readonly broken: { readonly file: string; readonly reason: string }
  /** All but the broken one. */
  readonly runs: number
  readonly today: FileToDrop
}

/** Up and down a hill, twice, and a run of today; beside them real watch files where the corpus is. */
export function journeyFiles(): JourneyFiles {
  const now = Date.now()
  // also shortly after midnight, and of this week on a Monday
  const todayMs = Math.max(now - 2 * 3_600_000, now - (now % DAY_MS))
  const today = { name: 'today.fit', bytes: fitRun({ startMs: todayMs }) }
  const moor = { name: 'over-the-moor.gpx', bytes: gpxRun({ startMs: now - 9 * DAY_MS, name: 'Over the moor' }) }
  const saved = '<!doctype html><title>Log in</title><p>Please log in to download'
  const broken = { name: 'saved-by-mistake.gpx', bytes: new TextEncoder().encode(saved) }
  let distanceM = 0
  const samples = Array.from({ length: 3501 }, (_, t) => {
    const angle = (t / 3500) * 4 * Math.PI
    const speedMps = 3 - 0.5 * Math.cos(angle)
    const at = { t, lat: 47 + distanceM / 111_170, lon: 8, distanceM, elevM: 400 + 40 * Math.sin(angle) }
    if (t < 3500) distanceM += speedMps
    return { ...at, speedMps, hr: Math.round(145 + 15 * Math.cos(angle)), cadence: 85 }
  })
  const hills = fitFile({ startMs: now - 12 * DAY_MS, samples, manufacturer: 1, product: 1967 })
  const watches = ['gpx/strava-export.gpx', 'fit/FR735XT-with-performance-condition.fit', 'fit/Fr955v19.28andStryd.fit']
  const real = (corpusDir === null ? [] : watches).map((name) => ({ name: name.slice(4), bytes: corpusFile(name) }))
  const files = [today, moor, { name: 'hills.fit', bytes: hills }, ...real, broken]
  return {
    files,
    main: { file: 'hills.fit', distanceM, splits: 11 },
    broken: { file: broken.name, reason: 'This is a web page, not a workout file' },
    runs: files.length - 1,
    today,
  }
}

/** A second and a half of film that the browser itself records: the formats it can play differ between builds. */
export async function recordedVideo(page: Page): Promise<FileToDrop> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const isOver = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    for (let frame = 0; frame < 30; frame += 1) {
      if (context !== null) context.fillStyle = `hsl(${frame * 12} 80% 50%)`
      context?.fillRect(0, 0, canvas.width, canvas.height)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await isOver
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  return { name: 'finish.webm', bytes: new Uint8Array(Buffer.from(base64, 'base64')) }
}

/** What is drawn over the map: how many points are not clear, and where their middle is. */
export function inkOfPointer(page: Page): Promise<{ readonly count: number; readonly middle: string }> {
  return page
    .locator('.map-frame canvas')
    .last()
    .evaluate((canvas: HTMLCanvasElement) => {
      // read from a copy: the browser warns of reading from a canvas that is drawn on
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
      copy?.drawImage(canvas, 0, 0)
      const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      let [count, x, y] = [0, 0, 0]
      for (let i = 3; i < data.length; i += 4) {
        if (data[i] === 0) continue
        count += 1
        x += (i >> 2) % canvas.width
        y += Math.floor((i >> 2) / canvas.width)
      }
      return { count, middle: `${Math.round(x / count)} ${Math.round(y / count)}` }
    })
}
