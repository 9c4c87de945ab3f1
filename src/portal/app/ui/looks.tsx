/** Language and theme. Before sign-in they are kept by this browser, afterwards also in the account. */
import {
  LANGUAGES,
  type Language,
  language,
  setLanguage,
  setTheme,
  THEMES,
  type Theme,
  theme,
  useStrings,
} from '../lib/language.ts';
import { useStore } from '../lib/store.ts';
import { Choice } from './fields.tsx';

interface LooksOptions {
  readonly onLanguage?: (to: Language) => void;
  readonly onTheme?: (to: Theme) => void;
  readonly isBare?: boolean;
}

export function Looks({ onLanguage, onTheme, isBare = false }: LooksOptions) {
  const t = useStrings();
  const own = useStore(language);
  const colours = useStore(theme);
  return (
    <div class="looks">
      <Choice
        isBare={isBare}
        label={t.nav.language}
        value={own}
        options={Object.entries(LANGUAGES) as [Language, string][]}
        onChoice={to => setLanguage(to).then(() => onLanguage?.(to))}
      />
      <Choice
        isBare={isBare}
        label={t.nav.theme}
        value={colours}
        options={THEMES.map(name => [name, t.nav.themes[name]] as const)}
        onChoice={to => {
          setTheme(to);
          onTheme?.(to);
        }}
      />
    </div>
  );
}
