import type { ComponentChildren } from 'preact'

interface FactsProps {
  /** Names and their values; null or false: left out. */
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[]
  readonly class?: string
}

/** Values with their names above them. */
export function Facts({ of, class: name = 'numbers' }: FactsProps) {
  return (
    <dl class={name}>
      {of.map(
        ([fact, value]) =>
          value !== null &&
          value !== false && (
            <div key={fact}>
              <dt>{fact}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
