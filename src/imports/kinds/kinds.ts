import { appleHealth } from './apple/apple.ts'
import { garmin } from './garmin/garmin.ts'
import type { TakeoutKind } from './kind.ts'
import { plainZip } from './plain-zip.ts'
import { SERVICES } from './services/services.ts'
import { strava } from './strava.ts'

/** The first that recognises an upload reads it; a ZIP of workout files comes last, since others hold such files, too. */
export const TAKEOUT_KINDS: readonly TakeoutKind[] = [strava, garmin, appleHealth, ...SERVICES, plainZip]
