import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'

interface CopiedTextProps {
  /** Id of the element. */
  readonly id: string
  readonly value: string
  /** Name of the text for the button. */
  readonly what?: string
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** A secret that can be copied. */
export function CopiedText({ id, value, what = '', children }: CopiedTextProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // without https there is no clipboard access, so the text is selected for copying by hand
      const element = document.getElementById(id)
      if (element !== null) getSelection()?.selectAllChildren(element)
    }
  }
  return (
    <>
      <code class="new-key" id={id}>
        {value}
      </code>
      <div class={children === undefined ? 'actions start' : 'actions'}>
        <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
          {isCopied ? 'Copied' : `Copy ${what}`.trim()}
        </Button>
        {children}
      </div>
    </>
  )
}
