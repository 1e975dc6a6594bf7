import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './button.tsx'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Content of the button; three dots when absent. */
  readonly children?: ComponentChildren
  readonly buttonClass?: string
}

/** A button with a list of actions; arrow keys move, Escape closes. */
export function Menu({ label, items, children, buttonClass = 'button quiet icon-only' }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    element.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const onPress = ({ target }: MouseEvent) => {
      if (target instanceof Node && element.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('mousedown', onPress)
    return () => document.removeEventListener('mousedown', onPress)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    element.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const entries = [...(element.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = entries.findIndex((entry) => entry.matches(':focus'))
    // with Tab the focus continues from the button
    if (event.key === 'Tab') return close()
    if (event.key === 'Escape') close()
    else if (event.key === 'Home') entries[0]?.focus()
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
      class={`menu-item bare level gap-3 small${isDangerous ? ' bad' : ''}`}
      onClick={() => {
        // a dialog that opens now must return the focus to the button, not to a removed entry
        close()
        onChoose()
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {text}
    </button>
  )
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
          {items.map(entry)}
        </div>
      )}
    </div>
  )
}

/** A small button next to an unusual term, which labels it; pressed, it shows an explanation. */
export function Help({ about, children }: { readonly about: string; readonly children: ComponentChildren }) {
  const id = useId()
  return (
    <>
      <button type="button" class="button icon-only help bare tiny" popoverTarget={id} aria-label={`What is ${about}?`}>
        <Icon name="info" />
      </button>
      <div id={id} popover="auto" class="help-text" role="note">
        {children}
      </div>
    </>
  )
}
