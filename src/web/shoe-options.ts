import type { Shoe } from './types.ts'

type Named = Pick<Shoe, 'id' | 'brand' | 'model'>

export function shoeName({ brand, model }: Named): string {
  return `${brand} ${model}`
}

/** Options of a select; shoes that are retired come last and say so. */
export function shoeOptions(shoes: readonly (Named & Partial<Pick<Shoe, 'retiredAt'>>)[]) {
  const options = shoes.map((shoe) => {
    const isRetired = (shoe.retiredAt ?? null) !== null
    return { isRetired, option: [shoe.id, `${shoeName(shoe)}${isRetired ? ' (retired)' : ''}`] as const }
  })
  return options.toSorted((a, b) => Number(a.isRetired) - Number(b.isRetired)).map(({ option }) => option)
}

/** The shoes that could be worn on a day: not those that were retired by then, except the chosen one. */
export function wearable(shoes: readonly Shoe[], day: string, chosenId: string | null = null): Shoe[] {
  return shoes.filter(({ id, retiredAt }) => retiredAt === null || retiredAt > day || id === chosenId)
}
