import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import { settings, shoes } from '../../db/schema-account.ts'
import { places } from '../../db/schema-ground.ts'
import type { TrainingSettings } from '../../db/schema-training.ts'
import { races, trainingGoals, trainingSettings, truthMarks } from '../../db/schema-training.ts'

// Documents whose body is the row of a table of their own: photos and videos, shoes, goals, races, marks, places, and the
// settings.

type MediaDocument = typeof media.$inferSelect
export type ShoeDocument = typeof shoes.$inferSelect
export type GoalDocument = typeof trainingGoals.$inferSelect
export type RaceDocument = typeof races.$inferSelect
export type MarkDocument = typeof truthMarks.$inferSelect
export type PlaceDocument = typeof places.$inferSelect
/** Members of the settings; an earlier document has those alone that a change replaced. */
export type SettingsDocument = Partial<Omit<typeof settings.$inferSelect, 'id'>> & {
  readonly training?: TrainingSettings | null
}

export interface Bodies {
  readonly media: MediaDocument
  readonly shoe: ShoeDocument
  readonly goal: GoalDocument
  readonly race: RaceDocument
  readonly mark: MarkDocument
  readonly place: PlaceDocument
  readonly settings: SettingsDocument
}

export const TABLES = {
  ...{ media, shoe: shoes, goal: trainingGoals, race: races, mark: truthMarks, place: places },
} as const

export function bodyOf<K extends keyof Bodies>(tx: Tx, kind: K, id: string): Bodies[K] | null {
  if (kind === 'settings') return settingsBody(tx) as Bodies[K]
  const table = TABLES[kind as keyof typeof TABLES]
  return (tx.select().from(table).where(eq(table.id, id)).get() ?? null) as Bodies[K] | null
}

/** All settings; empty: none was ever stored. */
function settingsBody(tx: Tx): SettingsDocument {
  const { id: _, ...row } = tx.select().from(settings).get() ?? { id: null }
  const training = tx.select({ data: trainingSettings.data }).from(trainingSettings).get()?.data
  return { ...row, ...(training === undefined ? {} : { training }) }
}

/** Settings that belong to a service, as they let it ask others, not to a runner. */
export const OF_SERVICE: readonly string[] = ['mapTiles', 'weatherLookups', 'zonesVersion']

/** Members that restoring an archive does not set, and those that every change sets. */
const NOT_PUT: readonly string[] = [...OF_SERVICE, 'archiveId', 'createdAt', 'updatedAt']

/** The members that a change of the settings changed; null and absent are equal. */
export function changedSettings(before: SettingsDocument, after: SettingsDocument): (keyof SettingsDocument)[] {
  const names = Object.keys({ ...before, ...after }) as (keyof SettingsDocument)[]
  return names.filter((name) => !NOT_PUT.includes(name) && !Bun.deepEquals(after[name] ?? null, before[name] ?? null))
}
