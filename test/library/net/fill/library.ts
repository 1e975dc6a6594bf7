// A library of short runs with everything in it that a runner can make of them, filled by calls.
import { cleanUp } from '../../../../src/jobs.ts'
import type { TestApp } from '../../../app.ts'
import { archives } from './archives.ts'
import { completions, formats, strava } from './files.ts'
import { BEGUN_MS, filling, HOUR_MS, weatherOf } from './filling.ts'
import { byHand, joins, repairs, splits } from './repairs.ts'
import { recalculations, settings, training } from './settings.ts'
import { longAgo, trash, undone, watching } from './ways-back.ts'
import { edits, pictures } from './words.ts'

/** Longer ago than anything can be undone. */
const LONG_AGO_MS = Date.UTC(2025, 8, 25, 18)

/** Fills an empty library; the clock of the app is moved to its last evening. */
export async function fillLibrary(app: TestApp, watchedFolder: string): Promise<void> {
  const lib = filling(app)
  app.clock.nowMs = LONG_AGO_MS
  const shoes = await settings(lib)
  await longAgo(lib)
  app.clock.nowMs = BEGUN_MS
  await cleanUp(app.deps, { olderThanMs: Date.now() + HOUR_MS })
  await formats(lib)
  await strava(lib, shoes)
  await archives(lib)
  await completions(lib)
  await byHand(lib, shoes)
  // later runs have none yet
  await weatherOf(app)
  await repairs(lib)
  await splits(lib)
  await joins(lib)
  await pictures(lib)
  await edits(lib, shoes)
  await watching(lib, watchedFolder)
  app.clock.nowMs = Date.UTC(2025, 10, 16, 8)
  await trash(lib)
  app.clock.nowMs = Date.UTC(2025, 10, 20, 10)
  await undone(lib)
  await training(lib)
  await recalculations(lib)
}
