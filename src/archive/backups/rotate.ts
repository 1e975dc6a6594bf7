import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupKeep } from '../../base/config.ts'
import { syncNames } from './files.ts'
import { manifestPath, OWN_NAME, OWN_SHARED_NAME, readManifest, SHARED, stampsIn, UNFINISHED } from './manifest.ts'

/** Of each of the last days, weeks (from Monday) and months that have backups, the latest; local time. */
export function keptStamps(stamps: readonly string[], keep: BackupKeep): Set<string> {
  const newestFirst = stamps.toSorted().toReversed()
  const kept = new Set<string>()
  for (const [count, periodOf] of [
    [keep.days, dayOf],
    [keep.weeks, weekOf],
    [keep.months, monthOf],
  ] as const) {
    const periods = new Set<string>()
    for (const stamp of newestFirst) {
      const period = periodOf(localTime(stamp))
      if (periods.has(period)) continue
      if (periods.size === count) break
      periods.add(period)
      kept.add(stamp)
    }
  }
  return kept
}

function localTime(stamp: string): Date {
  return new Date(stamp.replace(/(\d\d)(\d\d)(\d\d)Z$/, '$1:$2:$3Z'))
}

function dayOf(time: Date): string {
  return time.toDateString()
}

function weekOf(time: Date): string {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - ((time.getDay() + 6) % 7)).toDateString()
}

function monthOf(time: Date): string {
  return `${time.getFullYear()}-${time.getMonth()}`
}

/** Removes backups that are not kept: manifests first, so that none names what is gone. */
export function rotate(folder: string, keep: BackupKeep): void {
  const stamps = stampsIn(folder)
  const kept = keptStamps(stamps, keep)
  for (const stamp of stamps.filter((one) => !kept.has(one))) rmSync(manifestPath(folder, stamp), { force: true })
  syncNames(folder)
  sweep(folder)
}

/**
 * Removes what no manifest names: of rotated backups and of ones that were not completed. No shared file
 * is removed while a manifest cannot be read, since that names files as well.
 */
export function sweep(folder: string): void {
  const stamps = new Set(stampsIn(folder))
  for (const name of readdirSync(folder).filter((entry) => OWN_NAME.test(entry))) {
    const isNamed = !name.endsWith(UNFINISHED) && stamps.has(name.slice(0, name.indexOf('.')))
    if (!isNamed) rmSync(join(folder, name), { force: true })
  }
  const named = new Set<string>()
  try {
    for (const stamp of stamps) for (const file of readManifest(folder, stamp).files) named.add(file.path)
  } catch {
    return
  }
  for (const shared of SHARED) {
    for (const name of readdirSync(join(folder, shared)).filter((entry) => OWN_SHARED_NAME.test(entry))) {
      if (!named.has(`${shared}/${name}`)) rmSync(join(folder, shared, name), { force: true })
    }
  }
}
