"""Accounts: authentication of users, stored in `accounts.db` of the instance folder.

A person's permissions are stored in each campaign (`member`), under the name that this file proves. Two names that
differ only in case or in compatible forms of a letter are one name.
"""

from workbench.people.accounts.file import (
    TERMINAL,
    AccountError,
    Accounts,
    AccountsUnavailable,
    backup,
    can_be_read,
    open_accounts,
)
from workbench.people.accounts.people import (
    Account,
    add_account,
    check_password,
    clean_name,
    end_sessions,
    find_account,
    find_session,
    get_account,
    has_accounts,
    list_accounts,
    name_key,
    set_disabled,
    set_language,
    set_makes_campaigns,
    set_password,
)
from workbench.people.accounts.sessions import Session, begin_session
