import type { Units } from '../format.ts'
import { Segments } from '../ui/field.tsx'

export function UnitsChoice(props: { readonly value: Units; readonly onValue: (units: Units) => void }) {
  return <Segments<Units> {...props} legend="Units" options={OPTIONS} />
}

const OPTIONS = [
  ['metric', 'Kilometres'],
  ['imperial', 'Miles'],
] as const
