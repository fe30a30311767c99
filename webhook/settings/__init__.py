"""What a site may set, from one YAML file, the environment and the flags of the command line."""

from webhook.settings.loading import Loaded, Sources, load, load_settings
from webhook.settings.problems import Problem, SettingsError
from webhook.settings.values import CheckSettings, DialectSettings, LogSettings, ServeSettings, Settings

__all__ = [
    "CheckSettings",
    "DialectSettings",
    "Loaded",
    "LogSettings",
    "Problem",
    "ServeSettings",
    "Settings",
    "SettingsError",
    "Sources",
    "load",
    "load_settings",
]
