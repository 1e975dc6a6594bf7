import type { Item, TakeoutSource } from './kind.ts'

/** The files of an export that are not workouts, counted by folder. */
export async function* otherFiles(source: TakeoutSource, isWorkout: (name: string) => boolean): AsyncGenerator<Item> {
  const others = new Map<string, number>()
  for await (const { name } of source.entries()) if (!isWorkout(name)) countFile(others, name)
  yield* countedFiles(others, ['a workout', 'workouts'])
}

/** Counts a file by the folder, or the ZIP, that holds it. */
export function countFile(others: Map<string, number>, path: string): void {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  others.set(folder, (others.get(folder) ?? 0) + 1)
}

export function* countedFiles(others: ReadonlyMap<string, number>, [one, many]: readonly string[]): Generator<Item> {
  for (const [folder, ignored] of others) {
    yield {
      ignored,
      folder,
      reason: ignored === 1 ? `1 file that is not ${one}` : `${ignored} files that are not ${many}`,
    }
  }
}
