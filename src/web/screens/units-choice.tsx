import type { Units } from '../format.ts'
import { Segments } from '../ui/field.tsx'

interface UnitsChoiceProps {
  readonly value: Units
  readonly onValue: (units: Units) => void
}

export function UnitsChoice(props: UnitsChoiceProps) {
  return <Segments<Units> {...props} legend="Units" options={OPTIONS} />
}

const OPTIONS = [
  ['metric', 'Kilometres'],
  ['imperial', 'Miles'],
] as const
