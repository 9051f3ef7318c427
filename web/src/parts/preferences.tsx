import type { JSX } from 'preact'
import { chooseLanguage, language, t } from '../language'
import { nextTheme, theme } from '../theme'
import { Icon } from './icons'

export function Preferences(): JSX.Element {
  const other = language.value === 'zh' ? 'en' : 'zh'
  return (
    <div class="preferences">
      <button type="button" class="quiet" lang={other} title={t().language.title} onClick={() => chooseLanguage(other)}>
        {t().language.label}
      </button>
      <button
        type="button"
        class="quiet icon-button"
        title={t().theme[theme.value]}
        aria-label={t().theme[theme.value]}
        onClick={nextTheme}
      >
        <Icon name={theme.value} />
      </button>
    </div>
  )
}
