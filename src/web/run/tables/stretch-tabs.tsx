import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

export interface StretchTab {
  readonly name: string
  /** Content at the right end of the tab line. */
  readonly aside?: ComponentChildren
  readonly content: ComponentChildren
}

/** A card with several tables in tabs; with only one, its name is the title. Arrow keys move between tabs. */
export function StretchTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly StretchTab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const tab = tabs.find(({ name }) => name === chosen) ?? tabs[0]
  if (tab === undefined) return null
  const at = tabs.indexOf(tab)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(tabs[next]?.name ?? null)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const isAlone = tabs.length === 1
  return (
    <section class="card run-splits" aria-label={isAlone ? tab.name : label}>
      <div class="card-head">
        {isAlone ? (
          <h2>{tab.name}</h2>
        ) : (
          <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
            {tabs.map(({ name }) => (
              <button
                key={name}
                type="button"
                role="tab"
                class="tab bare muted"
                id={`${id}-${name}`}
                aria-selected={name === tab.name}
                aria-controls={`${id}-panel`}
                tabIndex={name === tab.name ? 0 : -1}
                onClick={() => setChosen(name)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        {tab.aside !== undefined && <div class="aside">{tab.aside}</div>}
      </div>
      <div
        {...(isAlone ? {} : { role: 'tabpanel' as const, id: `${id}-panel`, 'aria-labelledby': `${id}-${tab.name}` })}
      >
        {tab.content}
      </div>
    </section>
  )
}
