import { useRef } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { addFiles } from './imports.ts'

/** Opens the system's file dialog; files can also be dropped anywhere. */
export function ImportButton({ text = 'Import', kind = 'primary' as 'plain' | 'primary' }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind={kind} icon="upload" onClick={() => input.current?.click()}>
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        onChange={(event) => {
          const { files } = event.currentTarget
          if (files !== null) void addFiles([...files])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
