import type { Item, TakeoutSource } from './kind.ts'

/** The files of an export that are not workouts, counted by folder. */
export async function* otherFiles(source: TakeoutSource, isWorkout: (name: string) => boolean): AsyncGenerator<Item> {
  const others = new Map<string, number>()
  for await (const { name } of source.entries()) {
    if (isWorkout(name)) continue
    const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    others.set(folder, (others.get(folder) ?? 0) + 1)
  }
  for (const [folder, ignored] of others) yield { ignored, folder, reason: ignoredText(ignored) }
}

function ignoredText(count: number): string {
  return count === 1 ? '1 file that is not a workout' : `${count} files that are not workouts`
}
