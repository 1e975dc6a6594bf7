import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './button.tsx'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  /** Heading of the items that follow each other with the same one. */
  readonly group?: string
  readonly onChoose: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Content of the button; three dots when absent. */
  readonly children?: ComponentChildren
  readonly buttonClass?: string
  readonly onToggle?: (isOpen: boolean) => void
}

/** A button with a list of actions; arrow keys move, Escape closes. */
export function Menu({
  label,
  items,
  children,
  buttonClass = 'button quiet icon-only',
  onToggle = () => {},
}: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => onToggle(isOpen), [isOpen])
  useEffect(() => {
    if (!isOpen) return
    element.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const onPress = ({ target }: MouseEvent) => {
      if (target instanceof Node && element.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('mousedown', onPress)
    return () => document.removeEventListener('mousedown', onPress)
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const entries = [...(element.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = entries.findIndex((entry) => entry.matches(':focus'))
    if (event.key === 'Tab') {
      // the focus continues from the button
      setOpen(false)
      element.current?.querySelector('button')?.focus()
      return
    }
    if (event.key === 'Escape') {
      setOpen(false)
      element.current?.querySelector('button')?.focus()
    } else if (event.key === 'Home') entries[0]?.focus()
    else if (event.key === 'End') entries.at(-1)?.focus()
    else if (event.key === 'ArrowDown') entries[(at + 1) % entries.length]?.focus()
    else if (event.key === 'ArrowUp') entries[(at - 1 + entries.length) % entries.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const entry = ({ text, icon, isDangerous, onChoose }: MenuItem) => (
    <button
      key={text}
      type="button"
      role="menuitem"
      class={`menu-item bare level gap-3 small${isDangerous ? ' danger' : ''}`}
      onClick={() => {
        setOpen(false)
        // a dialog that opens now must return the focus to the button, not to a removed entry
        element.current?.querySelector('button')?.focus()
        onChoose()
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {text}
    </button>
  )
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu inside of it come up to here
    <div class="menu" ref={element} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={buttonClass}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children ?? <Icon name="more" />}
      </button>
      {isOpen && (
        <div class="menu-list" role="menu" aria-label={label}>
          {groups.map((name) => {
            const entries = items.filter(({ group }) => group === name).map(entry)
            if (name === undefined) return entries
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is not part of a menu
              <div key={name} role="group" aria-label={name} class="menu-group">
                <span class="menu-heading muted tiny" aria-hidden="true">
                  {name}
                </span>
                {entries}
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}

interface HelpProps {
  /** The term that is explained; it labels the button. */
  readonly about: string
  readonly children: ComponentChildren
}

/** A small button next to an unusual term; pressed, it shows an explanation. */
export function Help({ about, children }: HelpProps) {
  const id = useId()
  return (
    <>
      <button type="button" class="help bare muted" popoverTarget={id} aria-label={`What is ${about}?`}>
        <Icon name="info" class="help-icon" />
      </button>
      <div id={id} popover="auto" class="help-text" role="note">
        {children}
      </div>
    </>
  )
}
