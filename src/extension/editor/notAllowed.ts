import { t } from '../words/index.ts';

/** Why a tool that its setting does not allow is refused. */
export function notAllowed(what: 'search' | 'pay'): Error {
  return new Error(
    what === 'search'
      ? t(
          'Agents in this editor aren\'t allowed to search the catalog. To allow it, run "Svc: Let Agents Find Endpoints…".',
        )
      : t(
          'Agents in this editor aren\'t allowed to pay. To allow it, run "Svc: Let Agents Find Endpoints…".',
        ),
  );
}
